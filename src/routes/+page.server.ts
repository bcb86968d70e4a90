import { stateName } from '#lib/messages/migration/states.ts';
import type { Need } from '#lib/messages/overview.ts';
import { newestActivity } from '#lib/server/chains/explorer/activity.ts';
import { PageClient } from '#lib/server/chains/explorer/pageClient.ts';
import { incompleteIndexes } from '#lib/server/chains/explorer/incompleteIndexes.ts';
import { intervalsOf } from '#lib/server/chains/explorer/blockIntervals.ts';
import {
	chainLine,
	chainMark,
	needsAttention,
	usualOf
} from '#lib/server/chains/explorer/chainLine.ts';
import { indexedGlance } from '#lib/server/chains/explorer/indexedGlance.ts';
import { chainGlance } from '#lib/server/chains/explorer/overview.ts';
import { unusableDaemons } from '#lib/server/chains/explorer/sidebar.ts';
import { allProgress, type ChainProgress } from '#lib/server/chains/lists/chains.ts';
import { withLabels } from '#lib/server/wallet/address-book/withLabels.ts';
import { MANY_CHAINS } from '#lib/ui/frame/manyChains.ts';
import { ownWork } from './readers.ts';
import { requireMember } from './requireMember.ts';
import { redirect } from '@sveltejs/kit';
import type { Actions, PageServerLoad } from './$types';

/** Items of open work that are shown; the account page lists all. */
const MOST_WORK = 6;
const MOST_ACTIVITY = 12;
const MOST_IN_PROGRESS = 5;
/** Number of blocks in the chart of intervals. */
const DRAWN_BLOCKS = 60;

async function readChains(
	{ app, account, requestId }: App.Locals,
	known: ReadonlyMap<string, ChainProgress>
) {
	const client = new PageClient(app.gateway, requestId);
	const rows = await Promise.all(
		app.gateway.chains().map(async (name) => {
			const progress = known.get(name);
			const [glance, intervals] = await Promise.all([
				chainGlance(client, name, account === null, () => indexedGlance(app.index, name), {
					tip: progress?.hash ?? null,
					ofMany: true
				}),
				progress === undefined ? [] : intervalsOf(app.index, progress, DRAWN_BLOCKS)
			]);
			const health = client.daemon(name)?.health;
			return {
				name,
				glance,
				intervals,
				blockTime: usualOf(intervals),
				mark: chainMark(health?.state ?? 'unknown', glance),
				lastGoodAt: health?.lastGoodAt ?? null,
				isOffline: health?.state === 'down'
			};
		})
	);
	return { rows, now: client.now };
}

/** Data for members only: their open work, the team's migrations, and what waits for a person. */
async function readTeam(locals: App.Locals) {
	const { app } = locals;
	if (locals.account === null) return { work: [], moreWork: 0, inProgress: [], waiting: [] };
	const [work, inProgress, { migrations, imports }] = await Promise.all([
		ownWork(locals),
		app.migrations.inProgress(MOST_IN_PROGRESS),
		app.waiting.shown(locals.account.name)
	]);
	const waiting: Need[] = [
		{ code: 'migrations-stopped' as const, count: migrations - imports },
		{ code: 'migrations-approval' as const, count: imports }
	].filter(({ count }) => count > 0);
	return {
		/** Open work that this member has started or taken over, newest first. */
		work: work.toReversed().slice(0, MOST_WORK),
		moreWork: Math.max(0, work.length - MOST_WORK),
		inProgress: inProgress.map((one) => ({ ...one, words: stateName(one.state) })),
		waiting
	};
}

export const load: PageServerLoad = async ({ locals }) => {
	const { app, account } = locals;
	const isAdmin = account?.role === 'admin';
	const readIndexed = async () => {
		const known = await allProgress(app.index);
		return Promise.all([
			readChains(locals, known),
			newestActivity(app.index, app.gateway.chains(), known, MOST_ACTIVITY),
			incompleteIndexes(app, known)
		]);
	};
	const [[{ rows, now }, activity, incomplete], { waiting, ...team }, firstSteps, requests] =
		await Promise.all([
			readIndexed(),
			readTeam(locals),
			isAdmin ? app.firstSteps.of(account.id) : null,
			isAdmin ? app.accessRequests.shownCount() : 0
		]);
	const isMany = rows.length > MANY_CHAINS;
	const needingAttention = rows
		.filter(({ glance }) => needsAttention(glance))
		.map(({ name }) => name);
	const unread = account === null ? [] : rows.filter(({ glance }) => glance.problem !== null);
	const chainsIf = (isOffline: boolean): string[] =>
		unread.filter((row) => row.isOffline === isOffline).map(({ name }) => name);
	const ofDaemons = [
		{ code: 'daemons-offline' as const, chains: chainsIf(true) },
		{ code: 'daemons-unread' as const, chains: chainsIf(false) }
	];
	const needs: Need[] = [
		...waiting,
		...ofDaemons.filter(({ chains }) => chains.length > 0),
		...(requests > 0 ? [{ code: 'access-requests' as const, count: requests }] : [])
	];
	return withLabels(locals, {
		visitor: account === null,
		daemons:
			account === null
				? null
				: { all: app.gateway.daemons().length, unusable: unusableDaemons(app.gateway) },
		/**
		 * A card with a chart per chain; with many chains a line each instead, those that need attention
		 * first.
		 */
		cards: isMany ? [] : rows,
		lines: isMany
			? rows
					.map(chainLine)
					.toSorted(
						(one, other) =>
							Number(needingAttention.includes(other.name)) -
							Number(needingAttention.includes(one.name))
					)
			: [],
		needingAttention,
		...team,
		needs,
		firstSteps,
		activity,
		/** Whether there may be activity that is not indexed. */
		isIncomplete: incomplete.length > 0,
		now
	});
};

export const actions: Actions = {
	/** The member hides the first steps. */
	dismiss: async ({ locals }) => {
		await locals.app.firstSteps.dismiss(requireMember(locals).account.id);
		redirect(303, '/');
	}
};
