/** The methods in groups, as people look for them. */
import type { DaemonMethod } from './index.ts';
import { addressMethods } from './addresses.ts';
import { blockMethods } from './blocks.ts';
import { migrationMethods } from './migration.ts';
import { networkMethods } from './network.ts';
import { notarizationMethods } from './notarization.ts';
import { tokenMethods } from './tokens.ts';
import { transactionMethods } from './transactions.ts';
import { walletMethods } from './wallet.ts';

interface MethodFamily {
	/** For links. */
	id: string;
	title: string;
	methods: readonly DaemonMethod[];
}

const family = (id: string, title: string, methods: object): MethodFamily => ({
	id,
	title,
	methods: Object.keys(methods) as DaemonMethod[]
});

export const methodFamilies: readonly MethodFamily[] = [
	family('tokens', 'Tokens', tokenMethods),
	family('migration', 'Between chains', migrationMethods),
	family('notarization', 'Notarization', notarizationMethods),
	family('transactions', 'Transactions', transactionMethods),
	family('blocks', 'Blocks and chain', blockMethods),
	family('addresses', 'Address index', addressMethods),
	family('wallet', 'Wallet', walletMethods),
	family('network', 'Daemon, peers and mining', networkMethods)
];
