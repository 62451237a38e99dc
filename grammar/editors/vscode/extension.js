// Starts the language server, and shows in VS Code's own ways what its commands return.
"use strict";
const path = require("path");
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");
const { isScript } = require("./content.js");

const SCHEME = "evalang-page";
let client;

class Pages {
  // evalang-page:/EV501.md is the page of a rule, evalang-page:/plan.txt the last plan.
  constructor() { this.texts = new Map(); }
  async provideTextDocumentContent(uri) {
    if (this.texts.has(uri.path)) return this.texts.get(uri.path);
    const code = path.basename(uri.path, ".md");
    return client.sendRequest("workspace/executeCommand", { command: "evalang.explain", arguments: [code] });
  }
}

async function lookAtContent(document) {
  if (document.languageId === "evalang" || document.uri.scheme !== "file" || !document.fileName.endsWith(".eval")) return;
  const bytes = await vscode.workspace.fs.readFile(document.uri).then((found) => found, () => new Uint8Array());
  if (isScript(bytes)) await vscode.languages.setTextDocumentLanguage(document, "evalang");
}

function makeClient(context, pages) {
  const [command, ...first] = vscode.workspace.getConfiguration("evalang").get("command");
  const server = { command, args: [...first, "server"] };
  const selector = ["evalang", "markdown", "python"].map((language) => ({ language }));
  return new LanguageClient("evalang", "evalang", server, {
    documentSelector: [...selector, ...selector.map((one) => ({ ...one, notebook: "*" }))],
    initializationOptions: { pages: `${SCHEME}:/{code}.md`, shows: true },
    synchronize: { fileEvents: vscode.workspace.createFileSystemWatcher("**/*.{eval,evalang}") },
    middleware: { executeCommand: (name, given, next) => carryOut(name, given, next, pages) },
  });
}

async function carryOut(name, given, next, pages) {
  const active = vscode.window.activeTextEditor;
  const address = given[0] || (active && active.document.uri.toString());
  if (!address) return undefined;
  if (name === "evalang.run") return runInTerminal(vscode.Uri.parse(address));
  const said = await next(name, [address]);
  if (name === "evalang.lint") vscode.window.showInformationMessage(said);
  if (name === "evalang.plan") {
    const uri = vscode.Uri.parse(`${SCHEME}:/plan-${Date.now()}.txt`);
    pages.texts.set(uri.path, said);
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: true, viewColumn: vscode.ViewColumn.Beside });
  }
  if (name === "evalang.openReport") {
    if (said.startsWith("file:")) await vscode.env.openExternal(vscode.Uri.parse(said));
    else vscode.window.showInformationMessage(said);
  }
  return said;
}

function runInTerminal(uri) {
  if (!vscode.workspace.isTrusted) {
    vscode.window.showWarningMessage("Running a script needs a trusted workspace.");
    return;
  }
  const command = vscode.workspace.getConfiguration("evalang").get("command");
  const terminal = vscode.window.createTerminal({ name: "evalang", shellPath: command[0], shellArgs: [...command.slice(1), "run", uri.fsPath] });
  terminal.show();
}

async function activate(context) {
  const pages = new Pages();
  context.subscriptions.push(
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, pages),
    vscode.workspace.onDidOpenTextDocument(lookAtContent),
    vscode.commands.registerCommand("evalang.restart", () => client.restart()),
  );
  await Promise.all(vscode.workspace.textDocuments.map(lookAtContent));
  client = makeClient(context, pages);
  context.subscriptions.push(client);
  try {
    await client.start();
  } catch {
    const how = 'pip install "evalang[editor]", or say in the setting evalang.command where it is.';
    vscode.window.showErrorMessage(`The evalang language server does not start: ${how}`);
  }
}

function deactivate() {
  return client && client.stop();
}

module.exports = { activate, deactivate };
