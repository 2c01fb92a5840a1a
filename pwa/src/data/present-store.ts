import { createStore, type StoreApi } from 'zustand';

/**
 * A store for `useStore` whose present state the server's drawings show too. Zustand gives them the one that a store began
 * with, for a browser that takes a drawing over; ours draws its own.
 */
export function presentStore<T>(first: () => T): StoreApi<T> {
  const store = createStore(first);
  store.getInitialState = store.getState;
  return store;
}
