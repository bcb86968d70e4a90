import { isJsonObject, JsonNumber } from '#lib/rpc/json.ts';
import { passwordRefusal, type KdfAnswer, type KdfRefusal } from '#lib/rpc/kdf/envelope.ts';
import type { KdfSaid } from '../../chains/daemon/answers/read.ts';
import type { HttpAnswer } from '../../chains/daemon/transport.ts';
import type { Reached } from '../../chains/daemon/types.ts';
import type { KdfErrorCode, KdfState, KdfStop } from './kdfTypes.ts';

/** The attempts that are left, as the node counts them in the data or the text of its refusal. */
function attemptsLeft({ data, message }: KdfRefusal): number | null {
	const told = isJsonObject(data) ? data['error_data'] : undefined;
	if (told instanceof JsonNumber) return told.toNumber();
	const found = /attempts left: (\d+)/.exec(message);
	return found === null ? null : Number(found[1]);
}

/** What an answer means for its call and for what is known of the node. */
type Judgement =
	/** Null for a result that is too large to be read before somebody asks for it. */
	| { kind: 'said'; said: KdfAnswer | null }
	| { kind: 'password-refused'; reason: KdfStop['reason']; attemptsLeft: number | null }
	| {
			kind: 'failed';
			code: KdfErrorCode;
			words: string;
			reached: Reached;
			/** The node speaks, but not as it should. */
			isMismatch?: true;
			health?: { state: KdfState; detail: string };
	  };

const noKdf = (status: number): Judgement => ({
	kind: 'failed',
	code: 'not-a-node',
	words: 'What answers is no trading node.',
	reached: 'maybe',
	health: { state: 'down', detail: `What answers is no trading node (HTTP status ${status}).` }
});

/** Judges an answer by what was read in it. */
export function judgeAnswer(found: KdfSaid, { status, body }: HttpAnswer): Judgement {
	switch (found.kind) {
		case 'excess': {
			const words = `The answer holds too much (${found.what}).`;
			return { kind: 'failed', code: 'too-large', words, reached: 'yes', isMismatch: true };
		}
		case 'not-json':
			if (status === 401 || status === 403) {
				return { kind: 'password-refused', reason: 'wrong', attemptsLeft: null };
			}
			// KDF: its HTTP library says so when a handler ended without an answer.
			return status >= 500 && body.includes('aborted without responding')
				? {
						kind: 'failed',
						code: 'not-a-node',
						words: 'The node gave up on the call.',
						reached: 'maybe'
					}
				: noKdf(status);
		case 'no-envelope': {
			const words = 'The answer is in no envelope of a node.';
			return { kind: 'failed', code: 'misfit', words, reached: 'yes', isMismatch: true };
		}
		case 'other-call': {
			const words = 'What answers names another call than the one that was made.';
			const health = { state: 'down', detail: words } as const;
			return { kind: 'failed', code: 'not-a-node', words, reached: 'maybe', health };
		}
		case 'large':
		case 'said':
	}
	const said = found.kind === 'large' ? null : found.said;
	if (said === null || said.kind === 'result') {
		return status >= 200 && status < 300 ? { kind: 'said', said } : noKdf(status);
	}
	const refusal = passwordRefusal(said.error);
	if (refusal === null) return { kind: 'said', said };
	if (refusal === 'elsewhere') {
		const words = 'It takes calls from its own machine only (rpc_local_only).';
		const health = { state: 'elsewhere', detail: words } as const;
		return { kind: 'failed', code: 'elsewhere', words, reached: 'no', health };
	}
	return { kind: 'password-refused', reason: refusal, attemptsLeft: attemptsLeft(said.error) };
}
