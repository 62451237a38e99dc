// Whether the bytes of an .eval file are a script. Inspect AI's logs have the same ending and are ZIP archives.
"use strict";

function isScript(bytes) {
  const head = bytes.subarray(0, 4096);
  const zip = head[0] === 0x50 && head[1] === 0x4b && (head[2] === 3 || head[2] === 5) && head[3] === head[2] + 1;
  return !zip && !head.includes(0);
}

module.exports = { isScript };
