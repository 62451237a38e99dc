// Python in a thread of its own: evalang's lint path, and what the page asks of it.
import { loadPyodide } from "./pyodide/pyodide.mjs";

const ready = (async () => {
  const [pyodide, packed] = await Promise.all([
    loadPyodide({ indexURL: new URL("./pyodide/", import.meta.url).href }),
    fetch(new URL("./evalang.zip", import.meta.url)).then((answer) => answer.arrayBuffer()),
  ]);
  self.postMessage({ started: true });
  pyodide.unpackArchive(packed, "zip", { extractDir: "/packages" });
  pyodide.runPython("import sys; sys.path.insert(0, '/packages')");
  return pyodide.pyimport("evalang.editor.playground");
})();

self.onmessage = async ({ data }) => {
  try {
    const python = await ready;
    self.postMessage({ id: data.id, result: python[data.verb](...data.given) });
  } catch (error) {
    self.postMessage({ id: data.id, error: String(error) });
  }
};
ready.catch((error) => self.postMessage({ failed: String(error) }));
