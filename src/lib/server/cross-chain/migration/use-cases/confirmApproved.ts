import type { MigrationDependencies } from './dependencies.ts';
import type { MigrationRow } from '../migrationRecord.ts';
import type { ListFilter } from '../store.ts';
import { confirm } from './confirm.ts';

/** Migrations that are read from the database at once. */
const CHUNK = 100;

/** Yields each burn that waits for approval once. All pages are read, so that old ones are not missed. */
async function* waitingIn({ store }: MigrationDependencies): AsyncGenerator<MigrationRow> {
	let before: ListFilter['before'];
	for (;;) {
		const rows = await store.list({
			state: 'burn-needs-approval',
			limit: CHUNK,
			...(before && { before })
		});
		yield* rows;
		const last = rows.at(-1);
		if (last === undefined || rows.length < CHUNK) return;
		before = { createdAt: last.created_at, id: last.id };
	}
}

/**
 * Continues burns that were approved, on behalf of the member who confirmed them, with all checks that
 * precede a burn. Burns without an open request become drafts again.
 * @returns whether any burn waited for approval
 */
export async function confirmApproved(deps: MigrationDependencies): Promise<boolean> {
	const { store, approvals } = deps;
	let any = false;
	for await (const row of waitingIn(deps)) {
		any = true;
		const request = await approvals.lastOf(row.id);
		if (request?.state === 'open') {
			// Passes the reviewed txid, because the burn may be rebuilt meanwhile.
			if (await approvals.isMet(request.id)) {
				await confirm(deps, row.id, request.author, row.burn_txid);
			}
			continue;
		}
		const reason = { code: 'burn.not-approved', params: {} } as const;
		await store.act(row.id, ['burn-needs-approval'], {}, {}, undefined, async (trx) => {
			// A member may have confirmed it again meanwhile, and others are asked again.
			if ((await approvals.lastOf(row.id, trx))?.state === 'open') return undefined;
			return { state: 'draft', reason, event: { step: 'burn', message: reason } };
		});
	}
	return any;
}
