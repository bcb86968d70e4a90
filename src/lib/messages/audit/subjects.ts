/** Texts for the subject of an audit event. */
import { namedAmount } from '#lib/text/amounts.ts';
import { LIMIT_KIND_WORDS, titledKind, type LimitKind } from '../limitKinds.ts';
import { SECURITY } from '../pages/security.ts';
import { workMessage } from '../work.ts';

/**
 * The subject of an event, as looked up. `amount` is a text for prose (`12.5`); `unit` is the chain for coins,
 * else the name of a token, or empty when it is unknown.
 */
export type AuditSubject =
	| { code: 'migration'; amount: string; unit: string; source: string; destination: string }
	| {
			code: 'transaction';
			kind: keyof typeof TRANSACTION_WORDS;
			/** Null when the kind has no amount. */
			amount: string | null;
			unit: string;
			chain: string;
	  }
	| { code: 'batch-transfer'; token: string; chain: string }
	| { code: 'draft'; name: string; chain: string }
	| { code: 'token'; name: string; chain: string }
	| { code: 'burn' | 'approval-queue' }
	| { code: 'api-token'; name: string; of: string }
	| { code: 'invitation'; name: string | null; role: string }
	| {
			code:
				| 'everyone'
				| 'every-chain'
				| 'freeze'
				| 'read-only'
				| 'many'
				| 'policy'
				| 'approval'
				| 'change';
	  }
	| { code: 'page'; path: string }
	| { code: 'method'; name: string }
	| { code: 'limit-kind'; kind: LimitKind }
	| { code: 'security-setting'; name: keyof typeof SECURITY.settings };

const TRANSACTION_WORDS = {
	'token-create': 'Create',
	'token-transfer': 'Transfer',
	'token-burn': 'Burn',
	'coin-send': 'Send',
	merge: 'Consolidate UTXOs',
	claim: 'Claim interest:',
	split: 'Split UTXOs',
	'self-import-source': 'Self-import',
	'self-import': 'Self-import',
	'notary-approval': 'Notary approval'
} as const;

const FIXED = {
	everyone: 'Everyone',
	'every-chain': 'All chains',
	freeze: 'Freeze sending',
	'read-only': 'Read-only mode',
	many: 'Many different requests',
	burn: 'Burn',
	'approval-queue': 'Approval queue',
	policy: 'Policies',
	approval: 'Approval request',
	change: 'Proposed change'
} as const;

/** Formats an amount with its unit: `12.5 ALPHA`; `7 base units` for a token without a known name. */
const amountWords = (amount: string, unit: string): string =>
	unit === '' ? `${amount} base units` : namedAmount(amount, unit);

export function auditSubjectWords(subject: AuditSubject): string {
	switch (subject.code) {
		case 'migration':
			return `${amountWords(subject.amount, subject.unit)}: ${subject.source} → ${subject.destination}`;
		case 'transaction': {
			const verb = TRANSACTION_WORDS[subject.kind];
			return subject.amount === null
				? `${verb} on ${subject.chain}`
				: `${verb} ${amountWords(subject.amount, subject.unit)}`;
		}
		case 'batch-transfer':
			return subject.token === ''
				? workMessage({ code: 'batch-transfer', params: { chain: subject.chain } })
				: `Batch transfer of ${subject.token}`;
		case 'draft':
			return `Token draft “${subject.name}” on ${subject.chain}`;
		case 'token':
			return subject.name === ''
				? `Token on ${subject.chain}`
				: `${subject.name} on ${subject.chain}`;
		case 'api-token':
			return `“${subject.name}” of ${subject.of}`;
		case 'invitation':
			return `${subject.name ?? 'Anyone with the link'}, as ${subject.role}`;
		case 'page':
			return subject.path;
		case 'method':
			return subject.name;
		case 'limit-kind':
			return titledKind(LIMIT_KIND_WORDS[subject.kind].one);
		case 'security-setting':
			return SECURITY.settings[subject.name].label;
		default:
			return FIXED[subject.code];
	}
}
