// What the server put into the page: words in the reader's language, names of the tiles.

const read = (id) => JSON.parse(document.getElementById(id)?.textContent ?? "null");

export const page = read("page-data");
export const firstState = () => read("sheet-data");

/** The sentence `key`, with %(name)s filled from `params`. */
export function t(key, params = {}) {
  const sentence = page.words[key];
  if (sentence === undefined) throw new Error(`no words for "${key}"`);
  return sentence.replace(/%\((\w+)\)s/g, (_, name) => params[name]).replaceAll("%%", "%");
}

export const nameOf = (code) => page.tiles[code].name;
export const shortNameOf = (code) => page.tiles[code].short;
