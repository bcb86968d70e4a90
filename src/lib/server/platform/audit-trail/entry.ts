/** What goes into an audit row: who did what to what, and what never gets in. */
import type { AuditAction } from '#lib/messages/audit/actions.ts';
import { withoutSecrets } from '../logging/redact.ts';

/** What detail of an audit row may hold. */
export type AuditValue =
	| string
	| number
	| bigint
	| boolean
	| null
	| undefined
	| readonly AuditValue[]
	| { readonly [name: string]: AuditValue };

/** Sorts of acts, as the filter of the log offers them. */
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

/** `asked`: handed to a daemon; what came of it is the daemon's answer. */
export const AUDIT_OUTCOMES = ['done', 'asked', 'refused', 'failed'] as const;
export type AuditOutcome = (typeof AUDIT_OUTCOMES)[number];

export interface AuditEntry {
	/** Account name, or 'visitor', 'configuration', 'command line', 'engine'. */
	actor: string;
	/** A stable word for what was done: `sign-in`, `rpc.sendrawtransaction`, `migration.burn-sent`. */
	action: AuditAction;
	/** What it was done to: an account, a daemon, a txid. */
	target?: string | null;
	/** More facts. Members whose names say that they are secret are left out; bigint becomes text. */
	detail?: Readonly<Record<string, AuditValue>>;
	/** The chain, daemon or node that it concerns; without it `chain` or `daemon` of the detail. */
	place?: string | null;
	/** What came of it; without it what the action's name says. */
	outcome?: AuditOutcome;
}

/** An entry as the columns of its row, without number, time and hashes. */
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

/** By the word before the first point. Rows of the first form are held against this: words are only added. */
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

/** The sort of an act, by its name. */
export function kindOf(action: string): AuditKind {
	const [family = ''] = action.split('.', 1);
	if (Object.hasOwn(KIND_OF_ACTION, action)) return KIND_OF_ACTION[action]!;
	return Object.hasOwn(KIND_OF_FAMILY, family) ? KIND_OF_FAMILY[family]! : 'other';
}

/** What the name of an act says of its outcome. */
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

/** A text that every database gives back as it was written: no NUL, no half of a surrogate pair. */
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

/** The columns of an entry. */
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
