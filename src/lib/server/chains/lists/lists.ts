import { addresses, addressTransactions } from './addresses.ts';
import { blocks } from './blocks.ts';
import { chains } from './chains.ts';
import { transfers } from './transfers.ts';
import { flows } from './flows.ts';
import { holders } from './holders.ts';
import { holdings } from './holdings.ts';
import { imports } from './imports.ts';
import type { AnyList } from './list.ts';
import { notarizations } from './notarizations.ts';
import { routes } from './routes.ts';
import { tokenMoves } from './tokenMoves.ts';
import { tokens } from './tokens.ts';
import { transactions } from './transactions.ts';
import { utxos } from './utxos.ts';

/** Every list that pages, the API and exports offer. */
export const lists: readonly AnyList[] = [
	chains,
	blocks,
	transactions,
	addresses,
	addressTransactions,
	utxos,
	holdings,
	tokens,
	holders,
	tokenMoves,
	notarizations,
	transfers,
	imports,
	flows,
	routes
] as unknown as readonly AnyList[];
