/**
 * Methods that the registry does not know and an admin may let pass as reads. Nothing is known of them, so their
 * name alone has to look like a question, and must not look like a key, a wallet, a signature or a change.
 */
import { daemonMethods } from './index.ts';

/** Classes that an admin may give: both change nothing. Whatever has none is let pass to nobody. */
export const FURTHER_ACCESS = ['none', 'read', 'notary-query'] as const;
export type FurtherAccess = Exclude<(typeof FURTHER_ACCESS)[number], 'none'>;

/** Longer than any name that a daemon has. No underscore: `z_…` and `migrate_…` use wallets. */
const NAME = /^[a-z][a-z0-9]{2,63}$/;

/**
 * How reads are called, by modules of consensus (`oracleslist`, `channelsinfo`, `faucetaddress`) and otherwise. Not
 * `status`: the `dicestatus` of Komodo daemon 0.9.0 signs what ends a bet, sends it, and begins to deal.
 */
const QUESTION =
	/^(?:get|list|estimate|decode|verify|scan)[a-z0-9]+$|(?:list|info|address|samples|orders|orderbook|history|pending|processed)$/;

/** Parts of names that give away secrets, read or use a wallet, or change something. */
const FORBIDDEN = new RegExp(
	[
		...[
			'dump',
			'export',
			'import',
			'priv',
			'key',
			'secret',
			'seed',
			'mnemonic',
			'wallet',
			'balance',
			'pass'
		],
		...['sign', 'send', 'stop', 'encrypt', 'backup', 'restore', 'generate', 'mining', 'template'],
		...[
			'account',
			'unspent',
			'grouping',
			'alldata',
			'received',
			'receive',
			'raw',
			'(?<!b)lock',
			'new',
			'label'
		],
		...['fund', 'create', 'register', 'subscribe', 'open', 'close', 'payment', 'refund', 'bid'],
		...['ask', 'fill', 'cancel', 'transfer', 'convey', 'bet', 'claim', 'deposit', 'withdraw'],
		...['redeem', 'burn', 'add(?!ress)', 'remove', 'update', 'submit', 'change', '^set']
	].join('|')
);

/** Method names are lower case here; a daemon tells case apart, an attacker's name must not. */
const REGISTERED: ReadonlySet<string> = new Set(
	Object.keys(daemonMethods).map((method) => method.toLowerCase())
);

/** Whether an admin may let a method pass as a read. */
export const mayBeFurther = (name: string): boolean =>
	NAME.test(name) && QUESTION.test(name) && !FORBIDDEN.test(name) && !REGISTERED.has(name);
