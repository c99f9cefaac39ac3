// The name of the person who decides, as last given on this page.

export const knownName = () => sessionStorage.getItem("by") ?? "";
/** @param {string} name */
export const rememberName = (name) => sessionStorage.setItem("by", name);
