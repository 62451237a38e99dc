// Enough Markdown for the pages of rules: headings, lists, fences, code, bold, paragraphs. All text is set as text.
export function shown(text) {
  const out = document.createElement("article");
  let list = null;
  for (const block of text.split(/\n{2,}(?![^\n]*\n?```)|(?<=```)\n(?=[^\n])/)) {
    const heading = /^(#{1,4}) (.*)/.exec(block);
    if (block.includes("```")) {
      const pre = document.createElement("pre");
      pre.textContent = block.replace(/^```.*\n?/gm, "").trimEnd();
      out.append(pre);
    } else if (heading) {
      const head = document.createElement(`h${Math.min(heading[1].length + 1, 5)}`);
      head.append(...inline(heading[2]));
      out.append(head);
      const rest = block.slice(heading[0].length).trim();
      if (rest) out.append(...shown(rest).childNodes);
    } else if (/^- /m.test(block)) {
      list = document.createElement("ul");
      for (const item of block.split(/^- /m).filter((one) => one.trim())) {
        const li = document.createElement("li");
        li.append(...inline(item.trim()));
        list.append(li);
      }
      out.append(list);
    } else if (block.trim() === "---") {
      out.append(document.createElement("hr"));
    } else if (block.trim()) {
      const p = document.createElement("p");
      p.append(...inline(block.trim()));
      out.append(p);
    }
  }
  return out;
}

function inline(text) {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).filter(Boolean).map((part) => {
    const kind = part.startsWith("`") ? "code" : part.startsWith("**") ? "strong" : null;
    if (!kind) return document.createTextNode(part);
    const made = document.createElement(kind);
    made.textContent = part.slice(kind === "code" ? 1 : 2, kind === "code" ? -1 : -2);
    return made;
  });
}
