/** Makes an id a part of a key whose parts are divided by slashes, so that no two keys are the same. */
export const escapeSlash = (id: string): string => id.replaceAll("%", "%25").replaceAll("/", "%2F")
