/** The contents of an audit event: who did what to what. Secrets are removed here before they can reach the log. */
import type { AuditAction } from '#lib/messages/audit/actions.ts';
import type { RecordedValue } from '#lib/messages/audit/values.ts';
import { withoutSecrets } from '../logging/redact.ts';

/** A value in the `detail` of an audit event. */
export type AuditValue =
	| string
	| number
	| bigint
	| boolean
	| null
	| undefined
	| readonly AuditValue[]
	| RecordedValue
	| { readonly [name: string]: AuditValue };

/** Categories of events, as the filter of the audit log offers them. */
export const AUDIT_KINDS = [
	'sign-in',
	'people',
	'tokens',
	'switches',
	'settings',
	'sends',
	'migrations',
	'approvals',
	'trading',
	'calls',
	'access',
	'log',
	'other'
] as const;
export type AuditKind = (typeof AUDIT_KINDS)[number];

/** `asked`: handed to a daemon; the result is in the daemon's response, not here. */
export const AUDIT_OUTCOMES = ['done', 'asked', 'refused', 'failed'] as const;
export type AuditOutcome = (typeof AUDIT_OUTCOMES)[number];

/** Actor of what is done on the server's command line. */
export const COMMAND_LINE = 'command line';

/** Returns the actor of an event: the name of an account; null stands for the command line. */
export const actorOf = (by: { name: string } | null): string => by?.name ?? COMMAND_LINE;

export interface AuditEntry {
	/** Account name, or 'visitor', 'configuration', 'command line', 'engine'. */
	actor: string;
	/** Stable name of what was done: `sign-in`, `rpc.sendrawtransaction`, `migration.burn-sent`. */
	action: AuditAction;
	/** What the action applies to: an account, a daemon, a txid. */
	target?: string | null;
	/** Further facts. Members whose names mark them as secret are left out; bigint becomes text. */
	detail?: Readonly<Record<string, AuditValue>>;
	/** Chain, daemon or trading node concerned; when absent, taken from the detail (`chain`, `daemon`, …). */
	place?: string | null;
	/** Outcome; when absent, derived from the action's name. */
	outcome?: AuditOutcome;
}

/** An entry as the columns of its row, without sequence number, time and hashes. */
interface AuditFacts {
	actor: string;
	action: AuditAction;
	target: string | null;
	/** JSON object. */
	detail: string;
	kind: AuditKind;
	place: string | null;
	outcome: AuditOutcome;
}

const KIND_OF_ACTION: Readonly<Record<string, AuditKind>> = { 'token.decimals': 'settings' };

/**
 * Category by the part of the action's name before the first dot. Rows of form 1 are checked against this
 * table, so entries are only ever added.
 */
const KIND_OF_FAMILY: Readonly<Record<string, AuditKind>> = {
	'sign-in': 'sign-in',
	'sign-out': 'sign-in',
	session: 'sign-in',
	sessions: 'sign-in',
	factor: 'sign-in',
	'recovery-code': 'sign-in',
	password: 'sign-in',
	identity: 'sign-in',
	account: 'people',
	work: 'people',
	wallets: 'people',
	invitation: 'people',
	token: 'tokens',
	switch: 'switches',
	send: 'sends',
	series: 'sends',
	migration: 'migrations',
	backup: 'approvals',
	rpc: 'calls',
	call: 'access',
	page: 'access',
	trading: 'trading',
	coin: 'trading',
	activation: 'trading',
	servers: 'trading',
	node: 'trading',
	address: 'trading',
	task: 'trading',
	limit: 'settings',
	policy: 'settings',
	approval: 'approvals',
	change: 'settings',
	book: 'settings',
	security: 'settings',
	label: 'settings',
	draft: 'settings',
	index: 'settings',
	webhook: 'settings',
	notices: 'settings',
	audit: 'log',
	archive: 'log'
};

/** Returns the category of an action, by its name. */
export function kindOf(action: string): AuditKind {
	const [family = ''] = action.split('.', 1);
	if (Object.hasOwn(KIND_OF_ACTION, action)) return KIND_OF_ACTION[action]!;
	return Object.hasOwn(KIND_OF_FAMILY, family) ? KIND_OF_FAMILY[family]! : 'other';
}

/** Returns the outcome that an action's name implies. */
export function outcomeOf(action: string): AuditOutcome {
	if (action.endsWith('.refused')) return 'refused';
	if (action.endsWith('.failed')) return 'failed';
	return action.startsWith('rpc.') ? 'asked' : 'done';
}

/** Names of members that never reach an audit row, whatever they hold. */
const SECRET_NAME =
	/pass(word|phrase)?$|^(wif|auth|authorization|cookie|userpass|mnemonic|seed|pin|otp|totp)$|secret|priv(ate)?_?key|api_?token|session_?id/i;

function clean(value: AuditValue): unknown {
	if (typeof value === 'bigint') return value.toString();
	if (typeof value === 'string') return withoutSecrets(value);
	if (Array.isArray(value)) return value.map(clean);
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(
		Object.entries(value)
			.filter(([name]) => !SECRET_NAME.test(name))
			.map(([name, inner]) => [name, clean(inner)])
	);
}

/** Makes a text that every database returns exactly as written: no secrets, no NUL, no unpaired surrogate. */
const storable = (text: string): string =>
	withoutSecrets(text).toWellFormed().replaceAll('\0', '\u{2400}');

function placeOf({ action, target, detail, place }: AuditEntry): string | null {
	if (place !== undefined) return place;
	for (const name of ['chain', 'daemon', 'node', 'coin', 'source']) {
		const value = detail?.[name];
		if (typeof value === 'string' && value !== '') return value;
	}
	return action.startsWith('rpc.') ? (target ?? null) : null;
}

/** Returns the columns of an entry, with secrets removed. */
export function factsOf(entry: AuditEntry): AuditFacts {
	const { actor, action, target, detail } = entry;
	const place = placeOf(entry);
	return {
		actor: storable(actor),
		action,
		target: target === undefined || target === null ? null : storable(target),
		detail: JSON.stringify(clean(detail ?? {})),
		kind: kindOf(action),
		place: place === null ? null : storable(place),
		outcome: entry.outcome ?? outcomeOf(action)
	};
}
