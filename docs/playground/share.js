// A link holds the script in its fragment, which a browser never sends anywhere.
export const link = (address, text) => `${address.split("#")[0]}#script=${encodeURIComponent(text)}`;

export function shared(fragment) {
  const found = /^#script=(.*)$/s.exec(fragment);
  if (!found) return null;
  try { return decodeURIComponent(found[1]); } catch { return null; }
}
