import { NOTARIZATION_WINDOW } from '#lib/chain/proofRoot.ts';
import { error, fail, redirect } from '@sveltejs/kit';
import { shownCheck, type ShownCheck } from '#lib/messages/migration/checks.ts';
import { lateMessage, leftMessage, usualMessage } from '#lib/messages/migration/estimate.ts';
import { events as happened } from '#lib/messages/migration/events.ts';
import { migrationPage as words } from '#lib/messages/pages/migration.ts';
import { reasons } from '#lib/messages/migration/reasons.ts';
import { policyName, stateName } from '#lib/messages/migration/states.ts';
import { waitAtMost } from '#lib/server/chains/upstream/wait.ts';
import type { Check } from '#lib/server/cross-chain/migration/check.ts';
import type { Migrations } from '#lib/server/cross-chain/migration/createMigrations.ts';
import { searchedIn, windowOf } from '#lib/server/cross-chain/migration/decisions/proofWindow.ts';
import { pacesOf, readPace } from '#lib/server/cross-chain/migration/paces.ts';
import {
	pageFacts,
	type PageFacts
} from '#lib/server/cross-chain/migration/use-cases/pageFacts.ts';
import { canPublish } from '#lib/server/cross-chain/migration/use-cases/publish.ts';
import { APPROVALS, UNCONFIRMED } from '#lib/server/cross-chain/migration/states.ts';
import { timeline } from '#lib/server/cross-chain/migration/timeline.ts';
import type { MigrationView } from '#lib/server/cross-chain/migration/use-cases/view.ts';
import { rightsOverMigration } from '#lib/server/cross-chain/migration/use-cases/rightsOver.ts';
import { canWithdraw } from '#lib/server/cross-chain/migration/use-cases/withdraw.ts';
import { publicationOf } from '#lib/server/cross-chain/notary-approvals/publication.ts';
import { holdersOf } from '#lib/server/cross-chain/open-work/openWork.ts';
import { isAppError } from '#lib/server/platform/errors/appError.ts';
import { withLabels } from '#lib/server/wallet/address-book/withLabels.ts';
import { isTransactionError } from '#lib/server/wallet/transactions/errors.ts';
import { foreseenOf } from '../../foreseenOf.ts';
import { outcomeOf } from '../../outcomeOf.ts';
import { refuseRuledToken } from '../../refuseRuledToken.ts';
import { rejectionOf } from '../../rejectionOf.ts';
import { requireMember } from '../../requireMember.ts';
import type { Actions, PageServerLoad, RequestEvent } from './$types';

/** How long the page of a draft waits for the checks before it is shown without them. Milliseconds. */
const TIMEOUT_MS = 600;

/** Returns the current checks of a draft; empty when they take too long, or when it is no draft. */
async function checksOf(
	migrations: Migrations,
	{ row, steps }: MigrationView,
	person: string | undefined
): Promise<Check[]> {
	if (!UNCONFIRMED.includes(row.state) || person === undefined) return [];
	return (await waitAtMost(migrations.checksOf(row, steps, person), TIMEOUT_MS)) ?? [];
}

/** Returns the remaining time of a migration in progress as a sentence, and whether it is late. */
const shownEstimate = ({ late, range }: NonNullable<PageFacts['estimate']>) => ({
	late,
	message: late ? lateMessage(range) : leftMessage(range)
});

/** Describes the window in which a notarization must arrive. */
function windowShown(view: MigrationView): string | null {
	const window = windowOf(view);
	return window && words.facts.window(searchedIn(window), NOTARIZATION_WINDOW, window.chain);
}

export const load: PageServerLoad = async ({ locals, params, depends }) => {
	depends('komodeck:migration');
	const { migrations } = locals.app;
	const view = await migrations.get(params.id);
	if (!view) error(404, { message: words.noSuch });
	const { row, events, burn } = view;
	const { app, account } = locals;
	const now = Date.now();
	const paces = pacesOf(
		...(await Promise.all([readPace(app.index, row.source), readPace(app.index, row.destination)]))
	);
	const facts = pageFacts(view, paces, now);
	const may = await rightsOverMigration(app, locals, view);
	const [checks, foreseen] = await Promise.all([
		checksOf(migrations, view, account?.name),
		may.burn && foreseenOf(locals, may.burn)
	]);
	return withLabels(locals, {
		id: row.id,
		source: row.source,
		destination: row.destination,
		wallet: row.source_daemon,
		recipients: facts.recipients,
		amount: row.amount,
		token: row.tokenid === null ? null : { id: row.tokenid, name: row.token_name ?? '' },
		/** Decimals by which its form parsed the amount of the token. */
		decimals: row.tokenid === null ? 0 : await locals.app.sender.decimals(row.source, row.tokenid),
		/** The token's id on the destination, once it has arrived. */
		arrivedToken: facts.arrivedToken,
		policyWords: policyName(row.policy),
		/** Names of the members whose approval of the import counts now, and how many have to approve it. */
		approvers: view.approvers,
		approvalsNeeded: APPROVALS[row.policy],
		by: row.created_by,
		/** The member to whom it was assigned; null while it is with its creator. */
		holder: (await holdersOf(locals.app.db, 'migration', [row.id])).get(row.id) ?? null,
		foreign: may.foreign,
		/** Why this member may neither discard it nor decide about its notary approvals; null when they may. */
		held: may.held,
		foreseen,
		state: row.state,
		words: stateName(row.state),
		reason: row.reason && { code: row.reason.code, message: reasons.text(row.reason) },
		createdAt: Number(row.created_at),
		/** When the burn was confirmed, from which durations are counted. */
		confirmedAt: facts.confirmedAt,
		updatedAt: Number(row.updated_at),
		/** Confirmation of the import, once it is in a block. */
		arrival: facts.arrival,
		/** Whether it may change without a user's action. */
		moving: facts.moving,
		steps: timeline(view, paces),
		/** Usual total duration, as a sentence; null when that is no longer relevant. */
		usual: facts.usual === 'none' ? null : usualMessage(facts.usual),
		/** Remaining time, while it is in progress. */
		estimate: facts.estimate && shownEstimate(facts.estimate),
		/** How much of the window for a notarization has passed; null when none is awaited. */
		window: windowShown(view),
		hexes: may.hexes,
		/** Whether the reader may download the file with all steps and their transactions. */
		hasFile: may.hasFile,
		events: events
			.map(({ seq, time, message, times, lastTime }) => ({
				seq,
				time,
				times,
				lastTime,
				code: message.code,
				message: happened.text(message)
			}))
			.reverse(),
		burn,
		/**
		 * Notary approvals instead of notarizations: whether they can be requested or withdrawn, and the
		 * public page of the burn.
		 */
		backup: {
			canPublish: canPublish(view),
			canWithdraw: canWithdraw(view),
			page: publicationOf(view) === null ? null : `/notary-approvals/${row.burn_txid}`
		},
		/** The approval request that the burn waits for; also one that was held back, to be taken over. */
		approval:
			row.state === 'burn-needs-approval' || row.state === 'stuck'
				? ((await locals.app.approvals.openOf(row.id, locals.account))?.id ?? null)
				: null,
		/** Who rejected the burn; null when that is not why it is a draft again. */
		rejection: row.reason?.code === 'burn.not-approved' ? await rejectionOf(locals, row.id) : null,
		checks: checks.map(shownCheck),
		now
	});
};

interface Outcome {
	notice: string;
	checks: ShownCheck[];
}

const outcome = outcomeOf<Outcome>();

const refused = (status: number, notice: string, checks: readonly Check[] = []) =>
	fail(status, outcome({ notice, checks: checks.map(shownCheck) }));

function actorOf(locals: App.Locals): string {
	return requireMember(locals).account.name;
}

/** Runs an action and redirects to the page, or returns why it was not done. */
async function moved(id: string, act: () => Promise<boolean>) {
	let done: boolean;
	try {
		done = await act();
	} catch (cause) {
		// The page of the migration names the request.
		if (isAppError(cause, 'policy.needs-approval')) redirect(303, `/migrations/${id}`);
		if (!isTransactionError(cause)) throw cause;
		return refused(403, cause.message);
	}
	return done ? redirect(303, `/migrations/${id}`) : refused(409, words.refused.movedOn);
}

const discard = ({ locals, params: { id } }: RequestEvent) =>
	moved(id, () => locals.app.migrations.discard(id, actorOf(locals)));

export const actions: Actions = {
	confirm: async ({ locals, params, request }) => {
		await refuseRuledToken(locals);
		const burn = (await request.formData()).get('burn');
		const seen = typeof burn === 'string' ? burn : null;
		const result = await locals.app.migrations.confirm(params.id, actorOf(locals), seen);
		switch (result.kind) {
			case 'confirmed':
			case 'needs-approval':
				return redirect(303, `/migrations/${params.id}`);
			case 'rebuilt':
				return refused(409, words.refused.rebuilt);
			case 'refused':
				return refused(400, words.refused.checks, result.checks);
			case 'moved-on':
				return refused(409, words.refused.movedOn);
		}
	},
	discard,
	/** Name of this action in earlier releases, for forms that were rendered by them. */
	abandon: discard,
	approve: async ({ locals, params }) => {
		const result = await locals.app.migrations.approveStep(params.id, actorOf(locals));
		if (result === 'moved-on') return refused(409, words.refused.movedOn);
		if (result === 'same-person') {
			return refused(409, words.refused.sameMember);
		}
		return redirect(303, `/migrations/${params.id}`);
	},
	publish: ({ locals, params: { id } }) =>
		moved(id, () => locals.app.migrations.publish(id, actorOf(locals))),
	withdraw: ({ locals, params: { id } }) =>
		moved(id, () => locals.app.migrations.withdraw(id, actorOf(locals))),
	retry: async ({ locals, params: { id } }) => {
		// A burn that was held back is sent in the name of the member who retries it.
		await refuseRuledToken(locals);
		return moved(id, () => locals.app.migrations.retry(id, actorOf(locals)));
	}
};
