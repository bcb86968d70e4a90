import { addressHandlers } from './addresses.ts';
import { blockHandlers } from './blocks.ts';
import { burnCheckHandlers } from './burncheck.ts';
import type { Handler } from './context.ts';
import { generalHandlers } from './general.ts';
import { importViewHandlers } from './importviews.ts';
import { migrationHandlers } from './migration.ts';
import { notarizationHandlers } from './notarizations.ts';
import { rawTransactionHandlers } from './rawtransactions.ts';
import { selfImportHandlers } from './selfimport.ts';
import { tokenHandlers } from './tokens.ts';
import { walletHandlers } from './wallets.ts';

/** Every method that a daemon here serves; all others answer -32601. */
const handlers: { readonly [method: string]: Handler } = {
	...addressHandlers,
	...blockHandlers,
	...burnCheckHandlers,
	...generalHandlers,
	...importViewHandlers,
	...migrationHandlers,
	...notarizationHandlers,
	...rawTransactionHandlers,
	...selfImportHandlers,
	...tokenHandlers,
	...walletHandlers
};

export const servedMethods: readonly string[] = Object.keys(handlers);

export const handlerOf = (method: string): Handler | undefined =>
	Object.hasOwn(handlers, method) ? handlers[method] : undefined;
