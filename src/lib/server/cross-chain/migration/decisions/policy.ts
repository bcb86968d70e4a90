import { APPROVALS } from '../states.ts';
import { pauseAfter } from '../steps.ts';
import { waitedIn, type Context, type Decision } from './decision.ts';

/** The import can be sent: at once, or when those whom the policy asks have said so. */
export function importReady({ row, now }: Context): Decision {
	const given = [row.approved_by, row.approved_too].filter((name) => name !== null).length;
	if (given >= APPROVALS[row.policy]) {
		return { patch: { state: 'ready-to-import', reason: null }, next: 'again' };
	}
	const code = row.policy === 'ask-two' ? 'approval.asked-two' : 'approval.asked';
	const due = now + pauseAfter('import-sent', 0);
	return { patch: { state: 'needs-approval', reason: { code, params: {} }, due }, next: 'rest' };
}

/** Goes on watching the burn while people decide; what they are told stays. */
export function approvalAwaited(at: Context): Decision {
	const due = at.now + pauseAfter('import-sent', waitedIn(at, 'import-sent', true));
	return { patch: { due }, next: 'rest' };
}
