/** Methods grouped by topic, as users look for them. */
import type { DaemonMethod } from './index.ts';
import { addressMethods } from './addresses.ts';
import { blockMethods } from './blocks.ts';
import { migrationMethods } from './migration.ts';
import { networkMethods } from './network.ts';
import { notarizationMethods } from './notarization.ts';
import { tokenMethods } from './tokens.ts';
import { transactionMethods } from './transactions.ts';
import { walletMethods } from './wallet.ts';

export type MethodFamilyId =
	| 'tokens'
	| 'migration'
	| 'notarization'
	| 'transactions'
	| 'blocks'
	| 'addresses'
	| 'wallet'
	| 'network';

interface MethodFamily {
	/** Used in links. */
	id: MethodFamilyId;
	methods: readonly DaemonMethod[];
}

const family = (id: MethodFamilyId, methods: object): MethodFamily => ({
	id,
	methods: Object.keys(methods) as DaemonMethod[]
});

export const methodFamilies: readonly MethodFamily[] = [
	family('tokens', tokenMethods),
	family('migration', migrationMethods),
	family('notarization', notarizationMethods),
	family('transactions', transactionMethods),
	family('blocks', blockMethods),
	family('addresses', addressMethods),
	family('wallet', walletMethods),
	family('network', networkMethods)
];
