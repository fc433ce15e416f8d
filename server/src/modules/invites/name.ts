/**
 * What a person may be called in a mail that greets them: letters, and what stands between the letters of names. No digit,
 * slash or sign, and a dot only at the end of a word, so that no greeting holds an address. For `u` mode.
 */
export const NAME_PATTERN = `^\\p{L}(?:[\\p{L}\\p{M}'’·-]| (?=\\S)|\\.(?= |$))*$`
