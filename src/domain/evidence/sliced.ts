/**
 * Work that is done in slices. Each step says how much it did: characters that were read, or lines that were compared.
 * Who does the work decides what else may happen between two of them.
 */
export type Sliced<T> = Generator<number, T, void>;
