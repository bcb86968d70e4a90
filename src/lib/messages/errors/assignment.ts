import { workMessage, type WorkSubject } from '../work.ts';
import type { ErrorArea } from './define.ts';

/** Why a member cannot take over the open work of another one. */
type SuccessorUnfit =
	| { reason: 'same' }
	| { reason: 'disabled'; name: string }
	| { reason: 'role'; name: string; role: string }
	| { reason: 'wallet'; name: string; daemon: string; work: WorkSubject };

function successorUnfit(why: SuccessorUnfit): string {
	switch (why.reason) {
		case 'same':
			return 'Choose another member.';
		case 'disabled':
			return `${why.name} is disabled.`;
		case 'role':
			return `${why.name} is ${why.role} and cannot finish it: choose an operator.`;
		case 'wallet':
			return `${why.name} may not use the wallet of ${why.daemon}, which the ${workMessage(why.work)} needs: give access first, or choose another member.`;
	}
}

/** Reassigning open work. */
export const assignment = {
	'assignment.successor-unfit': { status: 409, field: 'successor', message: successorUnfit }
} satisfies ErrorArea<'assignment'>;
