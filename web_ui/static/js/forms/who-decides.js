// The name of who decides here, as last given on this page.

export const knownName = () => sessionStorage.getItem("by") ?? "";
/** @param {string} name */
export const rememberName = (name) => sessionStorage.setItem("by", name);
