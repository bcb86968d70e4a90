/**
 * Decides which methods outside the registry an admin may allow as reads. Nothing else is known about such a
 * method, so its name must look like a query, and must not suggest keys, wallets, signatures or changes.
 */
import { daemonMethods } from './index.ts';

/**
 * Access classes that an admin may assign; neither changes anything. A method with `none` is refused for all
 * callers.
 */
export const FURTHER_ACCESS = ['none', 'read', 'notary-query'] as const;
export type FurtherAccess = Exclude<(typeof FURTHER_ACCESS)[number], 'none'>;

/** Longer than any method name of a daemon. Underscores are excluded: `z_…` and `migrate_…` use wallets. */
const NAME = /^[a-z][a-z0-9]{2,63}$/;

/**
 * Typical names of reads, for consensus modules (`oracleslist`, `channelsinfo`, `faucetaddress`) and in
 * general. `status` is not among them: `dicestatus` of Komodo daemon 0.9.0 signs and sends the end of a bet,
 * and starts dealing.
 */
const QUESTION =
	/^(?:get|list|estimate|decode|verify|scan)[a-z0-9]+$|(?:list|info|address|samples|orders|orderbook|history|pending|processed)$/;

/** Parts of names that suggest revealing secrets, using a wallet, or changing something. */
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

/**
 * Registered method names in lower case. Daemons match case exactly, but a name that differs from a
 * registered one only in case must not get past this check.
 */
const REGISTERED: ReadonlySet<string> = new Set(
	Object.keys(daemonMethods).map((method) => method.toLowerCase())
);

/** Tells whether an admin may allow a method as a read. */
export const mayBeFurther = (name: string): boolean =>
	NAME.test(name) && QUESTION.test(name) && !FORBIDDEN.test(name) && !REGISTERED.has(name);
