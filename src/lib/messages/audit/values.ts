/**
 * Values of audit events whose texts are made when the event is read: the event itself holds a code and its
 * params, because it is never rewritten. Texts that an event holds are returned as they are.
 */
import { accountStateWords, type AccountState } from '../accountStates.ts';
import { recordedDifference, type RecordedRow } from '../auditLog.ts';
import { approvalVoidWords, type ApprovalVoid } from '../approvalVoid.ts';
import { changeWords, type ChangeCode, type ChangeFacts } from '../changes.ts';
import { recordedMostWords, type RecordedMost } from '../limitKinds.ts';
import { movedWords, type Moved } from '../policies/movements.ts';
import { recordedRuleSentence, type RecordedRule } from '../policies/sentence.ts';
import { walletChoiceWords, type ChosenWallets } from '../walletChoice.ts';
import { formatCoins } from '#lib/chain/amount.ts';

/** Means by which an account was added, changed or logged out. */
export type AccountMeans =
	| 'environment'
	| 'invitation'
	| 'invitation-single-sign-on'
	| 'password-link'
	| 'setup-link'
	| 'single-sign-on';

const ACCOUNT_MEANS: Readonly<Record<AccountMeans, string>> = {
	environment: 'environment',
	invitation: 'invitation',
	'invitation-single-sign-on': 'invitation and single sign-on',
	'password-link': 'link',
	'setup-link': 'set-up link',
	'single-sign-on': 'single sign-on'
};

/** The params of each code. */
interface Params {
	/** How an account was added, changed or logged out. */
	'account-means': { means: AccountMeans };
	/** State of an account in a backup, or before its restore. */
	'account-state': AccountState;
	/** Why an approval request was voided. */
	'approval-void': { why: ApprovalVoid };
	/** A change that waits for approval. */
	change: { change: ChangeCode; facts: ChangeFacts[ChangeCode] };
	'every-chain': object;
	/** The highest fee, in satoshi; null: none is set. */
	'fee-cap': { most: string | null };
	limit: RecordedMost;
	/** What a transaction moves, by asset. */
	moved: { movements: readonly Moved[] };
	/** The asset of a call that creates a token. */
	'new-token': object;
	/** The recipient of an output whose script has no address. */
	'no-address': object;
	/** A row that differs from the log. */
	row: RecordedRow;
	rule: RecordedRule;
	wallets: ChosenWallets;
}

/** A value as an event holds it. */
export type RecordedValue = {
	[Code in keyof Params]: { readonly code: Code; readonly params: Params[Code] };
}[keyof Params];

const TARGET_WORDS = {
	everyone: 'everyone',
	'every-chain': 'every chain',
	many: 'many different requests'
} as const;

const WORDS: { readonly [Code in keyof Params]: (params: Params[Code]) => string } = {
	'account-means': ({ means }) => ACCOUNT_MEANS[means],
	'account-state': accountStateWords,
	'approval-void': ({ why }) => approvalVoidWords(why),
	change: ({ change, facts }) => changeWords(change, facts).title,
	'every-chain': () => TARGET_WORDS['every-chain'],
	'fee-cap': ({ most }) => (most === null ? 'none' : `${formatCoins(BigInt(most))} coins`),
	limit: recordedMostWords,
	moved: ({ movements }) => movedWords(movements),
	'new-token': () => 'a new token',
	'no-address': () => 'a script without an address',
	row: recordedDifference,
	rule: recordedRuleSentence,
	wallets: walletChoiceWords
};

/** Returns the text of a value; its type links the code with its params. */
const wordsOf = <Code extends keyof Params>({
	code,
	params
}: {
	readonly code: Code;
	readonly params: Params[Code];
}): string => WORDS[code](params);

const isRecorded = (value: object): value is RecordedValue =>
	'code' in value &&
	'params' in value &&
	typeof value.code === 'string' &&
	Object.hasOwn(WORDS, value.code);

/** Returns a value of an event with each {@link RecordedValue} in it as text. */
export function recordedValue(stored: unknown): unknown {
	if (typeof stored !== 'object' || stored === null) return stored;
	if (Array.isArray(stored)) return stored.map(recordedValue);
	if (!isRecorded(stored)) {
		return Object.fromEntries(
			Object.entries(stored).map(([name, value]) => [name, recordedValue(value)])
		);
	}
	try {
		return wordsOf(stored);
	} catch {
		// The params of another release: the log must be readable all the same.
		return stored;
	}
}

/** Stands for every account, every chain or many requests, in targets and places of events. */
export const ANY = '*';

/** What an event is about when its target is every account, every chain or many requests. */
export type AuditTargetCode = keyof typeof TARGET_WORDS;

/** For each event about one of these: the code, and the words that early releases stored as the target. */
const ANY_TARGET: Readonly<Record<string, { code: AuditTargetCode; words: readonly string[] }>> = {
	'call.refused': { code: 'many', words: [] },
	'limit.changed': { code: 'everyone', words: ['everyone', 'everybody'] },
	'limit.fee-changed': { code: 'every-chain', words: ['every chain'] }
};

/** Returns the code of a stored target; null for the name or id of one thing. */
export function auditTargetCode(
	action: string,
	target: string | null,
	detail: Readonly<Record<string, unknown>>
): AuditTargetCode | null {
	const any = ANY_TARGET[action];
	if (target === null || any === undefined) return null;
	// Early releases stored the new value as text, too. A member may have one of these names.
	const isWords = typeof detail['to'] === 'string' && any.words.includes(target);
	return target === ANY || isWords ? any.code : null;
}

export const auditTargetWords = (code: AuditTargetCode): string => TARGET_WORDS[code];

/** Returns the text of a stored place. */
export const auditPlaceWords = (place: string | null): string | null =>
	place === ANY ? TARGET_WORDS['every-chain'] : place;

/** Returns the stored values of a place that {@link auditPlaceWords} displays, as typed into the filter. */
export const storedPlaces = (shown: string): string[] =>
	shown === TARGET_WORDS['every-chain'] ? [ANY, shown] : [shown];
