import type { ErrorArea } from './define.ts';

const ONLY_ALL =
	'Only signatures of the hash type ALL are made here, because under another one the outputs can be changed afterwards.';

const FAULTS = {
	unsigned: 'is missing',
	incomplete: 'is not complete',
	unreadable: 'cannot be read',
	'not-all': 'has another hash type than ALL, so whoever has it could change where it pays',
	'not-good': 'does not fit the transaction'
} as const;

const ACCOUNT_CLOSED = 'This account may not do anything any more.';
const notGranted = (daemon: string): string =>
	`You don't have access to the ${daemon} wallet. Ask an admin to add it to your account.`;

interface Control {
	/** Name of the account that turned it on. */
	by: string;
	/** In that member's own words; empty where none were given. */
	reason: string;
}

const because = (words: string, { by, reason }: Control): string =>
	`${words} by ${by}${reason === '' ? '' : `: ${reason}`}${/[.!?]$/.test(reason) ? '' : '.'}`;

/** What a member may do with a wallet, beyond the role. */
export const wallet = {
	'wallet.account-closed': { status: 403, message: () => ACCOUNT_CLOSED },
	'wallet.not-granted': {
		status: 403,
		message: ({ daemon }: { daemon: string }) => notGranted(daemon)
	},
	'wallet.role-gone': {
		status: 403,
		message: ({ person }: { person: string }) =>
			`The role of ${person} does not allow sending now. Another member can take over, or an admin can change the role.`
	},
	/** What waited to begin, and may not any more. */
	'wallet.activation-role-gone': {
		status: 403,
		message: ({ person }: { person: string }) =>
			`The role of ${person} does not allow this activation now. Another member can start it again, or an admin can change the role.`
	},
	/** Open work that another member holds; `account-closed`: the caller's own account is. */
	'wallet.work-of-another': {
		status: 403,
		message: ({
			holder,
			daemon,
			why
		}: {
			holder: string;
			daemon: string;
			why: 'account-closed' | 'not-granted';
		}) =>
			`${holder} has this in hand, and to end it takes the same wallet. ${why === 'account-closed' ? ACCOUNT_CLOSED : notGranted(daemon)}`
	},
	/** A task whose device is being answered by another member. */
	'wallet.pad-of-another': {
		status: 403,
		message: ({ holder }: { holder: string }) => `${holder} has the PIN pad of this task now.`
	},
	'wallet.activation-of-another': {
		status: 403,
		message: ({ holder }: { holder: string }) =>
			`${holder} has this in hand: only they, an admin, and who may use every wallet may end it.`
	}
} satisfies ErrorArea<'wallet'>;

/** What a safety control stops, for everyone. */
export const safety = {
	/** A program that only reads asked for something else. */
	'safety.reads-only': { status: 503, message: () => 'This program only reads.' },
	'safety.read-only': {
		status: 503,
		message: (control: Readonly<Control>) => because('This console was made read-only', control)
	},
	'safety.sends-frozen': {
		status: 503,
		message: (control: Readonly<Control>) => because('Sending was frozen', control)
	},
	'safety.signatures-frozen': {
		status: 503,
		message: (control: Readonly<Control>) => because('Sending and signing were frozen', control)
	}
} satisfies ErrorArea<'safety'>;

/** Signed bytes that are not asked for, or not handed out. */
export const signature = {
	'signature.hash-type': {
		status: 403,
		message: () => `${ONLY_ALL} Leave the parameter out, or write "ALL"; nothing was signed.`
	},
	'signature.unreadable-bytes': {
		status: 403,
		message: () =>
			'The answer holds bytes that may be a transaction and cannot be read here, so it is not handed out. Nothing was sent.'
	},
	'signature.unchecked': {
		status: 403,
		message: () =>
			'What the answer’s signatures cover could not be checked now, so it is not handed out. Nothing was sent; try again.'
	},
	'signature.faulty': {
		status: 403,
		/** `input`: counted from 1. */
		message: ({ input, fault }: { input: number; fault: keyof typeof FAULTS }) =>
			`The answer is not handed out: the signature of input ${input} ${FAULTS[fault]}. Nothing was sent.`
	}
} satisfies ErrorArea<'signature'>;
