import { isAppError } from '../../../platform/errors/appError.ts';
import { ROOMY_BURN_BYTES } from '../../../wallet/transactions/guards.ts';
import { buildFailure, type BuiltBurn } from '../buildBurn.ts';
import { refusal, type Check } from '../check.ts';
import type { Route } from '../preflight.ts';
import {
	readRequest,
	type FieldErrors,
	type MigrationInput,
	type MigrationRequest
} from '../request.ts';
import { nameOfToken } from '../tokenFacts.ts';
import { buildFor, stepsOfBurn } from './buildForReview.ts';
import { withOtherOutputs } from './composeBurn.ts';
import type { MigrationDependencies } from './dependencies.ts';
import { checkFor, lockedBy, overLimit } from './guards.ts';
import { published } from './publish.ts';
import { amountText, newMigrationId } from './written.ts';

/** Result of a request for a migration. */
export type DraftResult =
	| { kind: 'invalid'; errors: FieldErrors }
	| { kind: 'refused'; checks: Check[] }
	| { kind: 'drafted'; id: string; checks: Check[] };

/** Attempts to build a draft when concurrent drafts lock the same outputs. */
const LOCK_TRIES = 5;

/** Checks a request, builds and reviews the burn, and stores it. Nothing is sent. */
export async function draft(
	deps: MigrationDependencies,
	input: MigrationInput,
	actor: string
): Promise<DraftResult> {
	const read = readRequest(input);
	if ('errors' in read) return { kind: 'invalid', errors: read.errors };
	return draftRequest(deps, read.request, actor);
}

/**
 * As {@link draft}, for a parsed request.
 * @param tries remaining attempts with other outputs, when another draft has locked these
 */
export async function draftRequest(
	deps: MigrationDependencies,
	request: MigrationRequest,
	actor: string,
	tries = LOCK_TRIES
): Promise<DraftResult> {
	const { store } = deps;
	const { checks, route } = await checkFor(deps, actor, request, null, 'migration drafted');
	if (!route) return { kind: 'refused', checks };
	const over = await overLimit(deps, actor, request);
	if (over) return { kind: 'refused', checks: [...checks, over] };
	const built = await buildFor(deps, request, route);
	if ('result' in built) return { kind: 'refused', checks: [...checks, built] };
	const large = request.composed === null ? null : largeBurn(built.review.size);
	if (large) return { kind: 'refused', checks: [...checks, large] };
	// The same burn built twice has the same bytes, and is one draft.
	const same = await store.byBurn(built.review.txid);
	if (same !== null) return { kind: 'drafted', id: same, checks };
	try {
		const id = await keepDraft(deps, request, route, built, actor);
		return { kind: 'drafted', id, checks };
	} catch (error) {
		if (!isAppError(error, 'utxos.locked')) throw error;
		let others: MigrationRequest | null;
		try {
			others = tries > 1 ? await withOtherOutputs(deps, request, route) : null;
		} catch (cause) {
			return { kind: 'refused', checks: [...checks, refusal(buildFailure(cause))] };
		}
		if (others !== null) return draftRequest(deps, others, actor, tries - 1);
		return { kind: 'refused', checks: [...checks, lockedBy(error)] };
	}
}

/** Refuses a burn of selected UTXOs that is too large for its import; null when it is not. */
const largeBurn = (size: number): Check | null =>
	size > ROOMY_BURN_BYTES
		? {
				...refusal({ code: 'utxos.burn-large', params: { size, most: ROOMY_BURN_BYTES } }),
				field: 'outputs'
			}
		: null;

/** Parameters of the event for a built burn. */
const draftedOf = (
	{ source, destination, amount }: MigrationRequest,
	token: string | null
): { source: string; destination: string; amount: string; token: string | null } => ({
	source,
	destination,
	amount: amount.toString(),
	token
});

/** Stores a built burn for review, and locks its inputs. @throws {AppError} `utxos.locked` */
async function keepDraft(
	deps: MigrationDependencies,
	request: MigrationRequest,
	route: Route,
	built: BuiltBurn,
	actor: string
): Promise<string> {
	const { store } = deps;
	const id = newMigrationId();
	const tokenName = request.tokenid === null ? null : nameOfToken(built.hex);
	return store.insert(
		{
			id,
			path: request.approvals ? 'backup' : built.custom === null ? 'notarized' : 'custom',
			source: request.source,
			destination: request.destination,
			source_daemon: route.sourceDaemon.id,
			destination_daemon: route.destinationDaemon.id,
			kmd_daemon: route.kmdDaemon.id,
			ccid: BigInt(route.ccid),
			pubkey: route.pubkey,
			tokenid: request.tokenid,
			token_name: tokenName,
			address: request.address,
			amount: request.amount,
			payouts: built.payouts,
			burn_txid: built.review.txid,
			import_scan_from: route.importScanFrom,
			created_by: actor,
			policy: request.policy,
			state: 'draft',
			approved_by: null,
			approved_too: null,
			due_at: null,
			reason: null
		},
		{
			steps: [
				...stepsOfBurn(built, request, null),
				{ step: 'burn-confirmed' },
				...(request.approvals
					? [{ step: 'approvals' as const, evidence: published(store.now, actor) }]
					: [])
			],
			event: {
				step: 'burn',
				message: { code: 'draft.built', params: draftedOf(request, tokenName) }
			},
			audit: {
				actor,
				action: 'migration.drafted',
				target: id,
				detail: {
					source: request.source,
					destination: request.destination,
					address: request.address,
					amount: amountText(request),
					...(request.tokenid === null ? {} : { tokenid: request.tokenid }),
					txid: built.review.txid
				}
			}
		},
		built.review.inputs
	);
}
