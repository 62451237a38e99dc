// evalang for CodeMirror: the patterns that make.py writes, tried in order at every place.

const TAGS = {
  comment: "comment", text: "string", statement: "keyword", parameter: "propertyName", clause: "keyword",
  constant: "bool", word: "modifier", code: "labelName", name: "variableName", scheme: "number", number: "number",
  operator: "operator", sign: "punctuation",
};

// The kind of the next token of a line and its length; null for a character that belongs to nothing.
export function next(colours, text, at) {
  for (const [kind, pattern] of colours) {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found && found[0]) return [kind, found[0].length];
  }
  return null;
}

export function compiled(colours) {
  return colours.map(([kind, pattern]) => [kind, new RegExp(pattern, "uy")]);
}

// What StreamLanguage.define takes.
export function evalang(colours) {
  const patterns = compiled(colours);
  return {
    name: "evalang",
    languageData: { commentTokens: { line: "#" }, closeBrackets: { brackets: ["(", "[", "{", '"'] } },
    token(stream) {
      if (stream.eatSpace()) return null;
      const found = next(patterns, stream.string, stream.pos);
      if (!found) { stream.next(); return null; }
      stream.pos += found[1];
      return TAGS[found[0]];
    },
  };
}
