import { withStatus, type ErrorArea } from './define.ts';

const ONLY_ALL =
	'Only signatures of the hash type ALL are made here, because under another one the outputs can be changed afterwards.';

const FAULTS = {
	unsigned: 'is missing',
	incomplete: 'is not complete',
	unreadable: 'cannot be read',
	'not-all': 'has another hash type than ALL, so anyone who has it could change where it pays',
	'not-good': 'does not fit the transaction'
} as const;

const ACCOUNT_CLOSED = 'This account may not do anything any more.';
const notGranted = (daemon: string): string =>
	`You don’t have access to the ${daemon} wallet. Ask an admin to add it to your account.`;

interface Control {
	/** Name of the account that turned it on. */
	by: string;
	/** In that member's own words; empty when none were given. */
	reason: string;
}

const because = (words: string, { by, reason }: Control): string =>
	`${words} by ${by}${reason === '' ? '' : `: ${reason}`}${/[.!?]$/.test(reason) ? '' : '.'}`;

/** Denials that concern a wallet, beyond the role. */
export const wallet = {
	...withStatus(403, {
		'wallet.account-closed': () => ACCOUNT_CLOSED,
		'wallet.not-granted': ({ daemon }: { daemon: string }) => notGranted(daemon),
		'wallet.role-gone': ({ person }: { person: string }) =>
			`The role of ${person} does not allow sending now. Another member can take over, or an admin can change the role.`,
		'wallet.notary-only': () => 'Only a notary operator sends an approval.',
		/** An activation that waited to start, whose member lost the right to it. */
		'wallet.activation-role-gone': ({ person }: { person: string }) =>
			`The role of ${person} does not allow this activation now. Another member can start it again, or an admin can change the role.`,
		/** Open work that another member holds; `account-closed`: the caller's own account is closed. */
		'wallet.work-of-another': ({
			holder,
			daemon,
			why
		}: {
			holder: string;
			daemon: string;
			why: 'account-closed' | 'not-granted';
		}) =>
			`${holder} has this in hand. Others need the same wallet to end or publish it. ${why === 'account-closed' ? ACCOUNT_CLOSED : notGranted(daemon)}`,
		/** A task whose device prompt another member is answering. */
		'wallet.pad-of-another': ({ holder }: { holder: string }) =>
			`${holder} has the PIN pad of this task now.`,
		'wallet.activation-of-another': ({ holder }: { holder: string }) =>
			`${holder} has this in hand: only they, an admin, and who may use every wallet may end it.`
	})
} satisfies ErrorArea<'wallet'>;

/** Calls that a safety control stops for everyone. */
export const safety = {
	...withStatus(503, {
		/** A program with read-only access requested something else. */
		'safety.reads-only': () => 'This program only reads.',
		'safety.read-only': (control: Readonly<Control>) =>
			because('This console was made read-only', control),
		'safety.sends-frozen': (control: Readonly<Control>) => because('Sending was frozen', control),
		'safety.signatures-frozen': (control: Readonly<Control>) =>
			because('Sending and signing were frozen', control)
	})
} satisfies ErrorArea<'safety'>;

/** Signed bytes that may not be requested, or are not returned. */
export const signature = {
	...withStatus(403, {
		'signature.hash-type': () =>
			`${ONLY_ALL} Leave the parameter out, or write "ALL"; nothing was signed.`,
		'signature.unreadable-bytes': () =>
			'The answer holds bytes that may be a transaction and cannot be read here, so it is not handed out. Nothing was sent.',
		'signature.unchecked': () =>
			'What the answer’s signatures cover could not be checked now, so it is not handed out. Nothing was sent; try again.'
	}),
	'signature.faulty': {
		status: 403,
		/** `input` is counted from 1. */
		message: ({ input, fault }: { input: number; fault: keyof typeof FAULTS }) =>
			`The answer is not handed out: the signature of input ${input} ${FAULTS[fault]}. Nothing was sent.`
	}
} satisfies ErrorArea<'signature'>;
