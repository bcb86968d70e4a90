/** Actions of admins on a coin at a trading node. */
import { error, fail } from '@sveltejs/kit';
import { failureWords } from '#lib/messages/activation/failures.ts';
import { explainDaemon } from '#lib/messages/errors/explainDaemon.ts';
import { kdfCoin as words, kdfList } from '#lib/messages/pages/kdf.ts';
import { activeCoin as activeWords } from '#lib/messages/pages/kdfActive.ts';
import { explainChange } from '../failureWords.ts';
import { AppError, isAppError } from '#lib/server/platform/errors/appError.ts';
import { readForm, text } from '#lib/server/platform/http/readForm.ts';
import { callerNow } from '../../console/callerNow.ts';
import { requireMember } from '../../requireMember.ts';
import { judgedFor } from '../judged.ts';
import { mayTrade, requireKdf } from '../node.ts';
import { coinOf } from './chosen.ts';
import { refused } from './refused.ts';
import type { RequestEvent } from './$types';

/** More could let a swap wait forever. */
const MOST_CONFIRMATIONS = 1_000;

/**
 * Returns the coin, node and admin of an action.
 * @throws SvelteKit's 401, 403 or 404
 */
async function chosenByAdmin(event: RequestEvent) {
	const { locals, params, url } = event;
	const member = requireMember(locals);
	if (!mayTrade(locals.identity).admin) error(403, { message: kdfList.adminOnly });
	const coin = await coinOf(locals.app, params.coin);
	const { node } = await requireKdf(locals.app.activations, url);
	const by = member.account.name;
	return { coin, node: node.id, by, member, activations: locals.app.activations };
}

/**
 * Reports what the trading node refused.
 * @throws any other cause
 */
function refusedByNode(cause: unknown, node: string, coin: string) {
	if (!isAppError(cause, 'activation.call-failed')) throw cause;
	const about = { node, coin, method: 'enable' } as const;
	const { words, said } = explainChange(about, cause.params.failure);
	return refused(409, null, {}, words, said);
}

export async function disable(event: RequestEvent) {
	const { coin, node, by, member, activations } = await chosenByAdmin(event);
	const force = (await event.request.formData()).get('force') === 'yes';
	try {
		const judge = judgedFor(event, member);
		const { passive } = await activations.disable(node, coin.ticker, force, by, judge);
		return { done: words.disabled(coin.ticker, passive) };
	} catch (cause) {
		return refusedByNode(cause, node, coin.ticker);
	}
}

/** Sets what swaps of the coin wait for. */
export async function swaps(event: RequestEvent) {
	const { coin, node, by, member, activations } = await chosenByAdmin(event);
	const typed = await readForm(event.request, { confirmations: text, notarization: text });
	const { swaps: said } = activeWords;
	const { confirmations } = typed;
	if (!/^\d{1,4}$/.test(confirmations) || Number(confirmations) > MOST_CONFIRMATIONS) {
		return fail(400, { swaps: { typed, errors: { confirmations: said.fault } } });
	}
	const wanted = {
		confirmations: Number(confirmations),
		notarization: typed.notarization === 'yes'
	};
	try {
		const judge = judgedFor(event, member);
		const now = await activations.setSwaps(node, coin.ticker, wanted, by, judge);
		const done = said.done(coin.ticker, now.confirmations, now.notarization);
		const more =
			wanted.notarization && !now.notarization ? ` ${said.notNotarized(coin.ticker)}` : '';
		return { done: `${done}${more}` };
	} catch (cause) {
		return refusedByNode(cause, node, coin.ticker);
	}
}

/** Lets the native daemon behind the node watch the node's address. */
export async function importAddress(event: RequestEvent) {
	const { coin, node, by, member, activations } = await chosenByAdmin(event);
	const who = callerNow(event, member);
	/** As on the page, an admin needs no grant of the daemon's wallet for this. */
	const beforeSend = async (): Promise<void> => {
		const now = await who();
		if (now === null || !mayTrade(now).admin) throw new AppError('queue.kept');
	};
	const rescan = (await event.request.formData()).get('rescan') === 'yes';
	try {
		const { native } = activations;
		const { daemon, address } = await native.importAddress(node, coin, rescan, by, beforeSend);
		return { done: words.watched(daemon, address) };
	} catch (cause) {
		if (isAppError(cause, 'daemon')) {
			const { what, next } = explainDaemon(cause.coded);
			return refused(502, null, {}, `${what} ${next}`);
		}
		if (isAppError(cause, 'queue.kept')) return refused(409, null, {}, failureWords.kept.what);
		if (!isAppError(cause, 'activation')) throw cause;
		return refused(409, null, {}, cause.message);
	}
}
