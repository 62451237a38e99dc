// Compiles the package with the very Python that the browser will run, so that the page need not.
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [modules, source, target] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${modules}/pyodide/pyodide.mjs`).href);
process.on("uncaughtException", (error) => { // without it node would print the whole of Pyodide beside the error
  console.error(String(error).slice(0, 2000));
  process.exit(1);
});
const pyodide = await loadPyodide();
pyodide.unpackArchive(new Uint8Array(readFileSync(source)), "zip", { extractDir: "/packages" });
pyodide.runPython(`
import compileall, os, zipfile
from py_compile import PycInvalidationMode
compileall.compile_dir("/packages", quiet=2, invalidation_mode=PycInvalidationMode.UNCHECKED_HASH)
with zipfile.ZipFile("/packed.zip", "w", zipfile.ZIP_DEFLATED) as archive:
    for place, folders, files in sorted(os.walk("/packages")):
        for name in sorted(files):
            path = os.path.join(place, name)
            info = zipfile.ZipInfo(os.path.relpath(path, "/packages"), (1980, 1, 1, 0, 0, 0))
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, open(path, "rb").read())
`);
writeFileSync(target, pyodide.FS.readFile("/packed.zip"));
