/**
 * Version of the reading and ranking of words: dictionary, conditions, places, frequencies, rules. Raise it with every change of them.
 * A device of another version than the server asks the server while online; offline it answers by its own rules.
 */
export const SEARCH_VERSION = '9';
