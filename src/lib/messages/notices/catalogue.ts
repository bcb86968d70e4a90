/**
 * Every notice: its kind, its parameters, and its sentence. A notice is stored as a code with parameters, so
 * that its text can be changed later.
 */
import { z } from 'zod';
import { namedAmount } from '#lib/text/amounts.ts';
import { catalogueOf, entry, type MessageOf } from '../catalogue.ts';
import { RIGHT_WORDS, type RightName } from '../roles.ts';
import type { NoticeKind } from './kinds.ts';

const T = z.string();

/** Defines one notice of the catalog. */
function notice<Shape extends z.ZodRawShape>(
	kind: NoticeKind,
	shape: Shape,
	text: (params: z.output<z.ZodObject<Shape>>) => string
) {
	return { ...entry(shape, text), kind };
}

const route = { amount: T, unit: T, source: T, destination: T };
type Route = { amount: string; unit: string; source: string; destination: string };
const migration = ({ amount, unit, source, destination }: Route): string =>
	`${amount === '' ? unit : namedAmount(amount, unit)} from ${source} to ${destination}`;

const right = (name: string): string =>
	Object.hasOwn(RIGHT_WORDS, name) ? RIGHT_WORDS[name as RightName].toLowerCase() : name;
const because = (reason: string): string => (reason === '' ? '' : ` Reason: ${reason}`);

const WHY_WORDS: Readonly<Record<string, string>> = {
	limit: 'a spending limit',
	token: 'the limits of an API token',
	wallet: 'missing access to the wallet',
	signature: 'a signature that does not cover the whole transaction',
	policy: 'the policy'
};

const UNUSABLE_WORDS = {
	down: 'is offline',
	unauthorized: 'refuses the password',
	'wrong-chain': 'serves another chain'
} as const;

const NOTICES = {
	'approval.requested': notice('needs-you', { by: T }, ({ by }) => `${by} asks for your approval.`),
	'change.proposed': notice(
		'needs-you',
		{ by: T, change: T },
		({ by, change }) => `${by} proposes a change for you to approve: ${change}.`
	),
	'migration.needs-approval': notice(
		'needs-you',
		route,
		(params) => `The import of a migration awaits approval: ${migration(params)}.`
	),
	'migration.published': notice('needs-you', {}, () => 'A published burn awaits notary approval.'),
	'access.requested': notice(
		'needs-you',
		{ by: T, right: T },
		(params) => `${params.by} requests access: ${right(params.right)}.`
	),
	'work.assigned': notice('needs-you', { by: T }, ({ by }) => `${by} reassigned open work to you.`),
	'activation.pin': notice(
		'needs-you',
		{ coin: T, node: T },
		({ coin, node }) => `The activation of ${coin} on ${node} awaits a PIN or passphrase.`
	),

	'migration.done': notice(
		'finished',
		route,
		(params) => `Migration completed: ${migration(params)}.`
	),
	'transaction.confirmed': notice(
		'finished',
		{ chain: T },
		({ chain }) => `Your transaction on ${chain} is confirmed.`
	),
	'batch.done': notice('finished', {}, () => 'Your batch transfer is completed.'),
	'activation.active': notice(
		'finished',
		{ coin: T, node: T },
		({ coin, node }) => `${coin} is active on ${node}.`
	),
	'access.granted': notice('finished', { by: T }, ({ by }) => `${by} granted your access request.`),
	'access.dismissed': notice(
		'finished',
		{ by: T },
		({ by }) => `${by} dismissed your access request.`
	),
	'approval.approved': notice('finished', { by: T }, ({ by }) => `${by} approved your request.`),

	'change.done': notice(
		'finished',
		{ change: T },
		({ change }) => `The change that you proposed has taken effect: ${change}.`
	),

	'migration.stuck': notice(
		'stuck',
		route,
		(params) => `Migration stopped: ${migration(params)}. Its page says what to do next.`
	),
	'transaction.rejected': notice(
		'stuck',
		{ chain: T },
		({ chain }) => `Your transaction on ${chain} was rejected.`
	),
	'transaction.unknown': notice(
		'stuck',
		{ chain: T },
		({ chain }) =>
			`Whether your transaction reached ${chain} is unknown. It is looked up until that is known; do not send it again.`
	),
	'batch.stopped': notice(
		'stuck',
		{},
		() => 'Your batch transfer stopped. Its page says what to do next.'
	),
	'activation.failed': notice(
		'stuck',
		{ coin: T, node: T },
		({ coin, node }) => `The activation of ${coin} on ${node} failed.`
	),
	'approval.rejected': notice(
		'stuck',
		{ by: T, reason: T },
		({ by, reason }) => `${by} rejected your request.${because(reason)}`
	),
	'approval.expired': notice(
		'stuck',
		{},
		() => 'Your request expired before enough members approved.'
	),
	'approval.voided': notice(
		'stuck',
		{},
		() => 'Your request ended without a decision: what it asked for was changed or withdrawn.'
	),
	'change.rejected': notice(
		'stuck',
		{ by: T, change: T, reason: T },
		({ by, change, reason }) => `${by} rejected your change: ${change}.${because(reason)}`
	),
	'change.ended': notice(
		'stuck',
		{ change: T },
		({ change }) => `Your proposed change ended without a decision: ${change}.`
	),
	'node.stopped': notice(
		'stuck',
		{ node: T },
		({ node }) => `Calls to ${node} are stopped: the trading node refused the password.`
	),
	'webhook.disabled': notice(
		'stuck',
		{ server: T },
		({ server }) => `The webhook to ${server} failed for days and was disabled.`
	),

	'daemon.offline': notice(
		'daemon',
		// A daemon that answers cannot be used in these states either. Notices of early releases have none.
		{ daemon: T, chain: T, state: z.enum(['down', 'unauthorized', 'wrong-chain']).optional() },
		({ daemon, chain, state = 'down' }) =>
			`The daemon ${daemon} of ${chain} ${UNUSABLE_WORDS[state]}.`
	),
	'daemon.online': notice(
		'daemon',
		{ daemon: T, chain: T },
		({ daemon, chain }) => `The daemon ${daemon} of ${chain} is back online.`
	),
	'index.behind': notice(
		'daemon',
		{ chain: T, blocks: z.number() },
		({ chain, blocks }) => `The index of ${chain} is ${blocks} blocks behind its daemon.`
	),
	'index.current': notice(
		'daemon',
		{ chain: T },
		({ chain }) => `The index of ${chain} is current.`
	),

	'notarization.late': notice(
		'notarization',
		{ symbol: T, chain: T },
		({ symbol, chain }) =>
			`${symbol} has not been notarized on ${chain} for more than twice the usual time.`
	),
	'notarization.resumed': notice(
		'notarization',
		{ symbol: T, chain: T },
		({ symbol, chain }) => `${symbol} is notarized on ${chain} again.`
	),

	'freeze.on': notice(
		'safety',
		{ by: T, reason: T },
		({ by, reason }) => `${by} froze sending.${because(reason)}`
	),
	'freeze.off': notice('safety', { by: T }, ({ by }) => `${by} turned off the freeze of sending.`),
	'read-only.on': notice(
		'safety',
		{ by: T, reason: T },
		({ by, reason }) => `${by} turned on read-only mode.${because(reason)}`
	),
	'read-only.off': notice('safety', { by: T }, ({ by }) => `${by} turned off read-only mode.`),
	'policy.changed': notice('safety', { by: T }, ({ by }) => `${by} changed the policy.`),

	'change.unapproved': notice(
		'safety',
		{ change: T },
		({ change }) => `A change was made on the server without approval: ${change}.`
	),

	'call.refused': notice(
		'refused',
		{ by: T, what: T, place: T, why: T },
		({ by, what, place, why }) =>
			`${what}${place === '' ? '' : ` on ${place}`} by ${by} was denied by ${WHY_WORDS[why] ?? 'the policy'}.`
	),

	'audit.broken': notice(
		'audit',
		{},
		() => 'The audit log was changed outside of Komodeck: its check fails.'
	),
	'audit.differences': notice(
		'audit',
		{},
		() => 'Rights in the database were changed outside of Komodeck.'
	),
	'audit.whole': notice('audit', {}, () => 'The check of the audit log passes again.'),

	'admin.added': notice(
		'new-admin',
		{ name: T, by: T },
		({ name, by }) => `${name} is an admin now. Changed by ${by}.`
	),

	'factor.added': notice(
		'security',
		{ by: T },
		({ by }) => `${by} added a factor to your account.`
	),
	'factor.removed': notice(
		'security',
		{ by: T },
		({ by }) => `${by} removed a factor from your account.`
	),
	'recovery-code.used': notice(
		'security',
		{},
		() => 'A recovery code was used to log in to your account.'
	),
	'token.created': notice('security', {}, () => 'An API token was created for your account.'),
	'token.replaced': notice(
		'security',
		{},
		() => 'An API token of your account was replaced with a new one.'
	),
	'identity.linked': notice('security', {}, () => 'Single sign-on was linked to your account.'),
	'identity.unlinked': notice(
		'security',
		{},
		() => 'Single sign-on was unlinked from your account.'
	),
	'password.changed': notice('security', {}, () => 'The password of your account was changed.'),
	'password.reset': notice(
		'security',
		{},
		() => 'The password of your account was set anew with a reset link.'
	),
	'sign-in.new-browser': notice(
		'security',
		{ address: T },
		({ address }) => `Your account was logged in to from a new browser at ${address}.`
	),
	'email.changed': notice('security', {}, () => 'The email address of your notices was changed.')
} as const;

export type NoticeMessage = MessageOf<typeof NOTICES>;
type NoticeCode = NoticeMessage['code'];

export const notices = catalogueOf(NOTICES);

/** Returns the kind of a notice; every code has one. */
export const noticeKind = (code: NoticeCode): NoticeKind => NOTICES[code].kind;
