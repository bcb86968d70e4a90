import { APPROVALS } from '../states.ts';
import { pauseAfter } from '../steps.ts';
import { waitedIn, type Context, type Decision } from './decision.ts';

/** Sends the import at once, or waits for the approvals that the policy requires. */
export function importReady({ row, now }: Context): Decision {
	const given = [row.approved_by, row.approved_too].filter((name) => name !== null).length;
	if (given >= APPROVALS[row.policy]) {
		return { patch: { state: 'ready-to-import', reason: null }, next: 'again' };
	}
	const code = row.policy === 'ask-two' ? 'approval.asked-two' : 'approval.asked';
	const due = now + pauseAfter('import-sent', 0);
	return { patch: { state: 'needs-approval', reason: { code, params: {} }, due }, next: 'rest' };
}

/** Keeps watching the burn while approvals are awaited; the reason stays. */
export function approvalAwaited(at: Context): Decision {
	const due = at.now + pauseAfter('import-sent', waitedIn(at, 'import-sent', true));
	return { patch: { due }, next: 'rest' };
}
