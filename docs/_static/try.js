// "Try it" beside every script: it opens in the playground, the script in the link itself.
document.addEventListener("DOMContentLoaded", () => {
  const root = document.documentElement.dataset.content_root || "./";
  const ours = /(?:^|\s)highlight-(?:eval|evalang|eval,bad)(?:\s|$)/;
  for (const block of document.querySelectorAll("div[class*='highlight-eval']")) {
    if (!ours.test(block.className)) continue;
    const link = document.createElement("a");
    link.className = "try-it";
    link.textContent = "Try it";
    link.href = `${root}playground/index.html#script=${encodeURIComponent(block.querySelector("pre").textContent)}`;
    block.append(link);
  }
});
