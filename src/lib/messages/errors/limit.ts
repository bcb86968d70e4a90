import { withoutZeros } from '#lib/text/amounts.ts';
import { LIMIT_KIND_WORDS, type LimitKind } from '../limitKinds.ts';
import { explainDaemon, type DaemonError } from './explainDaemon.ts';
import { withStatus, type ErrorArea } from './define.ts';

/**
 * A send above a limit. Amounts are decimal texts in units of the chain’s coin; `freeAt`: when it would fit,
 * Unix milliseconds, null for never.
 */
interface Exceeded {
	kind: LimitKind;
	chain: string;
	most: string;
	used: string;
	freeAt: number | null;
}

const many = (kind: LimitKind, chain: string): string =>
	`${LIMIT_KIND_WORDS[kind].many} on ${chain}`;

/** Formats a time as `2026-11-21 17:03 UTC`, rounded up to the minute. */
function moment(at: number): string {
	const minute = Math.ceil(at / 60_000) * 60_000;
	return `${new Date(minute).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

const then = (freeAt: number | null): string =>
	freeAt === null
		? 'An admin can raise it.'
		: `This one may go out from ${moment(freeAt)} on; an admin can raise the limit.`;

const unmeasured = (why: string): string =>
	`What this transaction takes from the wallet cannot be told. ${why} Nothing was sent.`;

/** Why a spending limit denies a send, or a send cannot be measured. Nothing was counted. */
export const limit = {
	...withStatus(429, {
		'limit.count-reached': ({ kind, chain, most, used, freeAt }: Readonly<Exceeded>) =>
			`Limit reached: ${used} of ${most} ${LIMIT_KIND_WORDS[kind][most === '1' ? 'one' : 'many']} on ${chain} in 24 hours. Nothing was sent. ${then(freeAt)}`,
		'limit.amount-exceeded': ({
			kind,
			chain,
			most,
			used,
			takes,
			freeAt
		}: Readonly<Exceeded & { takes: string }>) =>
			`Limit exceeded: this takes ${withoutZeros(takes)} ${chain}, and ${withoutZeros(used)} of ${withoutZeros(most)} ${chain} are used by ${many(kind, chain)} in 24 hours. Nothing was sent. ${then(freeAt)}`,
		'limit.amount-unknown': ({ kind, chain }: { kind: LimitKind; chain: string }) =>
			`Your ${many(kind, chain)} have a limit in ${chain}, and how much this one takes cannot be told beforehand. Nothing was sent.`,
		'limit.fee-above-cap': ({ chain, fee, cap }: { chain: string; fee: string; cap: string }) =>
			`The fee of this transaction is ${withoutZeros(fee)} ${chain}, and at most ${withoutZeros(cap)} ${chain} is allowed. Nothing was sent. An admin can change that on the Spending limits page.`,
		'limit.account-gone': () => 'There is no such account any more.',
		'limit.role-gone': ({ person }: { person: string }) =>
			`The role of ${person} does not allow sending now. Nothing was sent. Another member can take over, or an admin can change the role.`,
		'limit.unreadable': () => unmeasured('These bytes are no transaction that can be read.'),
		'limit.shielded': () => unmeasured('It has shielded parts, and what they take stands nowhere.'),
		'limit.amounts-impossible': () => unmeasured('It names amounts that no chain has.'),
		'limit.import-unreadable': () =>
			unmeasured('It looks like an import, and what it imports cannot be read.'),
		'limit.pays-more-than-it-spends': () =>
			unmeasured('It pays more than it spends, which no chain takes.'),
		'limit.too-many-parents': ({ count, most }: { count: number; most: number }) =>
			unmeasured(`It spends outputs of ${count} transactions, and at most ${most} are read.`),
		'limit.parents-too-large': ({ most }: { most: number }) =>
			unmeasured(`What it spends takes more than ${most} bytes to read.`),
		'limit.parent-unknown': ({ txid }: { txid: string }) =>
			unmeasured(
				`It spends an output of ${txid}, which the daemon does not know: that has to be sent before.`
			),
		'limit.output-missing': ({ txid, vout }: { txid: string; vout: number }) =>
			unmeasured(`It spends the output ${txid}:${vout}, which does not exist.`),
		'limit.daemon-failed': ({ call }: { call: DaemonError }) => unmeasured(explainDaemon(call).what)
	})
} satisfies ErrorArea<'limit'>;
