/**
 * Calls to a trading node that a person makes in the console: checked by the policy, and added to the person's
 * own history.
 */
import { consoleOutcomes, type PastOutcome } from '#lib/messages/consoleOutcomes.ts';
import { explainKdf } from '#lib/messages/explained/kdf.ts';
import { explainKdfError } from '#lib/messages/kdf-errors/index.ts';
import { readableJson, stringifyJson, type JsonValue } from '#lib/rpc/json.ts';
import { readKdfAnswer } from '#lib/rpc/kdf/envelope.ts';
import { kdfDefinition, type KdfMethod } from '#lib/rpc/kdf/index.ts';
import type { Member } from '../../../access/identity/identity.ts';
import type { CallBudget } from '../../../access/calls/budget.ts';
import type { KdfError, KdfErrorCode } from '../../../kdf/client/kdfError.ts';
import type { KdfGateway } from '../../../kdf/client/kdfTypes.ts';
import { hideSecrets } from '../../../kdf/client/hideSecrets.ts';
import { keyedKdfCalls, type OnceCall, type Trace } from '../../http/onceCalls.ts';
import type { WhoNow } from '../../http/whoNow.ts';
import { makeKdfCall, type KdfCallParts } from '../../kdf/makeCall.ts';
import { explained, fitsTree, frameOf } from '../answered.ts';
import { deniedOutcome, pastOutcome } from '../call.ts';
import type { ConsoleHistory } from '../history.ts';
import { outcomeOnce } from '../onceOutcome.ts';
import type { Answered, CallOutcome } from '../outcome.ts';
import { treeOf } from '../tree.ts';
import { secretsIn } from './form.ts';
import { storedKdfParams } from './storedParams.ts';

type Members = { readonly [name: string]: JsonValue };

interface KdfCallerParts extends KdfCallParts {
	nodes: Pick<KdfGateway, 'has' | 'proxy' | 'holdsPassword'>;
	budget: CallBudget;
	history: ConsoleHistory;
	/** Executes calls with an idempotency key at most once. */
	onceCall: OnceCall;
}

export interface KdfConsoleCall {
	method: KdfMethod;
	node: string;
	params: Members;
	requestId: string;
	/** Idempotency key of the form: a call that changes something is executed once per key. */
	key?: string | undefined;
	/** Returns the current caller after the call has waited. */
	who: WhoNow;
}

export interface KdfCaller {
	callKdf(identity: Member, call: KdfConsoleCall): Promise<CallOutcome>;
}

/** Parses a response; undefined when it is no JSON, or too large for the tree view. */
const parsed = (text: string): JsonValue | undefined =>
	fitsTree(Buffer.from(text, 'utf8')) ? readableJson(text) : undefined;

function answered(
	method: KdfMethod,
	status: number,
	text: string,
	body: JsonValue | undefined,
	ms: number
): Answered {
	const { name, envelope } = kdfDefinition(method);
	const said = body === undefined ? null : readKdfAnswer(body, envelope);
	const failed = said?.kind === 'error' ? said.error : null;
	return {
		...frameOf({ status, bytes: Buffer.byteLength(text) }, text, ms),
		tree: said?.kind === 'result' ? treeOf(said.result) : null,
		error: failed && {
			code: failed.type ?? '',
			message: failed.message,
			meaning: null
		},
		failure: null,
		explained: failed && explained(explainKdfError(name, failed))
	};
}

/** With these errors nothing was sent, and retrying without a change is pointless; reads were retried before. */
const NOT_SENT: ReadonlySet<KdfErrorCode> = new Set([
	'kdf.busy',
	'kdf.password-refused',
	'kdf.password-unreadable',
	'kdf.safety-control',
	'kdf.invalid-params',
	'kdf.unknown'
]);

/** Describes a call without a response, including whether the node may have acted on it. */
function failedOutcome(error: KdfError, secrets: readonly string[], ms: number): CallOutcome {
	const { what, safe, next } = explainKdf(error.coded);
	const shown = (words: string): string => hideSecrets(words, secrets);
	if (NOT_SENT.has(error.code)) {
		return { kind: 'refused', sentence: [what, safe, next].filter(Boolean).map(shown).join(' ') };
	}
	return { kind: 'failed', ms, what: shown(what), safe: shown(safe), next: shown(next) };
}

export function createKdfCaller(parts: KdfCallerParts): KdfCaller {
	const { nodes, budget, history, onceCall } = parts;
	return {
		async callKdf(identity, call) {
			const { key, method, node, params } = call;
			if (key === undefined || keyedKdfCalls([method]) !== 'counts') {
				return carryOut(identity, call, { mayBeDone: false });
			}
			const text = stringifyJson([method, params]);
			const request = { actor: identity.account.id, place: `console ${node}`, key, text };
			return outcomeOnce(onceCall, request, (trace) => carryOut(identity, call, trace));
		}
	};

	async function carryOut(
		identity: Member,
		{ method, node, params, requestId, who }: KdfConsoleCall,
		trace: Trace
	): Promise<CallOutcome> {
		if (!nodes.has(node)) return { kind: 'refused', sentence: consoleOutcomes.noNode };
		const seconds = await budget.takeCalls(identity, 1);
		if (seconds !== null) return { kind: 'limited', seconds };
		const at = Date.now();
		const started = performance.now();
		const proposed = { method, params, id: null };
		const origin = { requestId, console: true } as const;
		const made = await makeKdfCall(parts, who, node, proposed, origin);
		const ms = performance.now() - started;
		const secrets = secretsIn(params);
		const remember = (outcome: PastOutcome): Promise<void> =>
			history.addOfNode(identity.account.id, {
				method,
				daemon: node,
				at,
				ms,
				outcome,
				params: storedKdfParams(params, (text) => nodes.holdsPassword(text))
			});
		switch (made.kind) {
			case 'ended':
				return { kind: 'refused', sentence: consoleOutcomes.ended };
			case 'denied':
				return deniedOutcome(made.denial);
			case 'mismatch':
				return { kind: 'refused', sentence: hideSecrets(`${made.words}.`, secrets) };
			case 'failed': {
				trace.mayBeDone = made.error.params.delivery !== 'not-sent';
				const outcome = failedOutcome(made.error, secrets, ms);
				if (outcome.kind === 'failed') await remember({ code: 'failed', params: { error: null } });
				return outcome;
			}
			case 'answered': {
				const { status, body } = made.answer;
				// Any other status than 200 means that the call may be repeated.
				trace.mayBeDone = status === 200;
				// The node's parser may quote a secret parameter in its error.
				const text = hideSecrets(body.toString('utf8'), secrets);
				const outcome = answered(method, status, text, parsed(text), ms);
				await remember(pastOutcome(outcome));
				return outcome;
			}
		}
	}
}
