import { UsageError, type Verb } from '../verb.ts';
import { withAuth } from '../withAuth.ts';

const REASONS = {
	missing: 'is missing',
	changed: 'was changed, or was not written with this key',
	'cut-off': 'and what followed it were cut off'
} as const;

export const verb: Verb = {
	usage: [['audit verify', 'checks the whole chain of the audit log']],
	async run(args, { env, out, err }) {
		if (args.length !== 1 || args[0] !== 'verify') throw new UsageError('Say "audit verify".');
		const verdict = await withAuth(env, (auth) => auth.audit.verify());
		if (verdict.ok) {
			out(`The audit log is whole: ${verdict.rows} rows.`);
			return 0;
		}
		err(`The audit log is broken: row ${verdict.seq} ${REASONS[verdict.reason]}.`);
		return 1;
	}
};
