/**
 * Interprets a daemon's response to a step: wait and ask again, look up the transaction, try the next offset, or
 * stop because the same input can never succeed. Only responses listed here as final are final: everything else may
 * pass, so it is retried. (Komodo daemon 0.9.0.)
 */
import {
	RPC_DESERIALIZATION_ERROR,
	RPC_VERIFY_ALREADY_IN_CHAIN,
	RPC_VERIFY_REJECTED
} from '#lib/rpc/errorCodes.ts';
import type { DaemonErrorCode } from '#lib/rpc/errors/index.ts';
import { refusalCode } from '../../chains/daemon/refusalCode.ts';
import { isAppError } from '../../platform/errors/appError.ts';

export type Verdict =
	/** The chains have not progressed far enough: ask again later. */
	| 'wait'
	/** No answer: nothing is known and nothing was done. */
	| 'unreachable'
	/** The call may have taken effect: look it up before anything else. */
	| 'unknown'
	/** The daemon says that it already has it, which proves nothing: look it up. */
	| 'claimed'
	/** The burn is no longer in a block. */
	| 'back-to-burn'
	/** KMD does not have the notarization that the proof starts from. */
	| 'no-notarization'
	| 'next-offset'
	/** It is already in the chain. */
	| 'already'
	/** Another transaction in the mempool spends one of the inputs. */
	| 'conflict'
	/** Sending again is useless: an input is spent, or the transaction has expired. */
	| 'spent'
	/** It may pass: retried at increasing intervals. */
	| 'passing'
	| 'final';

export interface Refusal {
	verdict: Verdict;
	/** The daemon's message, or why there is no answer; may be empty. */
	response: string;
	/** The connection ended after the call was sent, without a complete answer: the daemon may have crashed. */
	broke?: true;
}

/** Verdicts by the meaning of the answer; any other may pass. */
type Verdicts = Readonly<Partial<Record<DaemonErrorCode, Verdict>>>;

/** Answers of `migrate_createimporttransaction` to a burn, its payouts and, on the backup route, approvals. */
const BUILDING: Verdicts = {
	'migration.not-notarized-back': 'wait',
	'migration.transaction-pending': 'back-to-burn',
	'migration.transaction-unknown': 'back-to-burn',
	// With approvals the burn is checked as by a notary, with other messages.
	'migration.burn-pending': 'back-to-burn',
	'migration.burn-unknown': 'back-to-burn',
	// Seen on running daemons: a later notarization does not help.
	'migration.outside-mom': 'final',
	'migration.burn-unreadable': 'final',
	'migration.payouts-unreadable': 'final',
	'migration.burn-empty': 'final',
	'migration.approval-txid': 'final',
	// With approvals: the checks of the burn itself.
	'migration.no-burn': 'final',
	'migration.burn-without-source': 'final',
	'migration.burn-output': 'final',
	'migration.burn-other-data': 'final',
	'migration.burn-token-data': 'final',
	'migration.burn-other-token': 'final',
	'migration.burn-token-creation': 'final',
	'migration.burn-token-units': 'final',
	'migration.burn-other-source': 'final',
	'migration.burn-other-ccid': 'final',
	'migration.token-fungible': 'final',
	'migration.on-destination': 'final'
};

/** Answers of `migrate_completeimporttransaction` on KMD. */
const COMPLETING: Verdicts = {
	'migration.destination-not-notarized': 'wait',
	'migration.notarization-unknown': 'no-notarization',
	'migration.too-few-moms': 'wait',
	'migration.not-in-momom': 'next-offset',
	'migration.proof-wrong': 'next-offset',
	'migration.import-unreadable': 'final',
	'migration.import-without-burn': 'final'
};

/** Answers of `sendrawtransaction` with the code {@link RPC_VERIFY_REJECTED}. */
const SENDING: Verdicts = {
	// Also the answer when an import is sent to the chain of its own burn.
	'broadcast.already-imported': 'claimed',
	'broadcast.import-not-accepted': 'wait',
	'broadcast.mempool-conflict': 'conflict',
	'broadcast.inputs-spent': 'spent',
	'broadcast.already-have-coins': 'claimed',
	'broadcast.expired': 'spent',
	'broadcast.coinbase-immature': 'passing',
	'broadcast.not-final': 'passing'
};

/** Malformed, non-standard and invalid: the codes of `CValidationState` (consensus/validation.h). */
const FINAL_REJECTS = /^(?:1|16|64|65|256): /;

/** Returns a failure that says nothing about the transaction; null when the daemon judged it. */
function withoutOpinion(error: unknown): Refusal | null {
	if (!isAppError(error, 'daemon')) throw error;
	if (error.code === 'daemon.rpc-error' || error.code === 'daemon.in-band-error') return null;
	if (error.params.delivery === 'not-sent')
		return { verdict: 'unreachable', response: error.message };
	const broke = error.code === 'daemon.unreachable' || error.code === 'daemon.truncated';
	return { verdict: 'unknown', response: error.message, ...(broke ? { broke } : {}) };
}

const responseOf = (error: unknown): string =>
	isAppError(error, 'daemon') ? (error.params.rpcMessage ?? error.message).trim() : '';

function verdictOf(error: unknown, verdicts: Verdicts): Verdict | undefined {
	const code = refusalCode(error);
	return code === null ? undefined : verdicts[code];
}

/** @throws the error itself when it is not an error answer or failure of a daemon */
export function readBuildRefusal(error: unknown): Refusal {
	const none = withoutOpinion(error);
	// Building changes nothing, so after a lost answer it is simply repeated.
	if (none) return { ...none, verdict: 'unreachable' };
	return { verdict: verdictOf(error, BUILDING) ?? 'passing', response: responseOf(error) };
}

/** @throws the error itself when it is not an error answer or failure of a daemon */
export function readCompletionRefusal(error: unknown): Refusal {
	const none = withoutOpinion(error);
	if (none) return { ...none, verdict: 'unreachable' };
	return { verdict: verdictOf(error, COMPLETING) ?? 'passing', response: responseOf(error) };
}

/** @throws the error itself when it is not an error answer or failure of a daemon */
export function readSendRefusal(error: unknown): Refusal {
	const none = withoutOpinion(error);
	if (none) return none;
	const response = responseOf(error);
	const code = isAppError(error, 'daemon') ? error.params.rpcCode : undefined;
	const byText = (): Verdict =>
		verdictOf(error, SENDING) ?? (FINAL_REJECTS.test(response) ? 'final' : 'passing');
	switch (code) {
		case RPC_VERIFY_ALREADY_IN_CHAIN:
			return { verdict: 'already', response };
		case RPC_DESERIALIZATION_ERROR:
			return { verdict: 'final', response };
		case RPC_VERIFY_REJECTED:
			return { verdict: byText(), response };
		// A missing input, too: a parent may arrive late, or a reorganization may be in progress.
		default:
			return { verdict: 'passing', response };
	}
}
