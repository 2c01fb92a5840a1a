/**
 * Version of the parsing and ranking of words: dictionary, conditions, places, frequencies, rules. Raise it with every change
 * of them. If server and device differ, the device asks the server while online. Offline it uses its own rules.
 */
export const SEARCH_VERSION = '10';
