import { POLICY_VERB, USAGE } from '#lib/messages/commandLine.ts';
import { readSetting } from '#lib/server/access/security-settings/settings.ts';
import { AppError } from '#lib/server/platform/errors/appError.ts';
import { readArguments } from '../readArguments.ts';
import type { Verb } from '../verb.ts';
import { withAuth } from '../withAuth.ts';

export const verb: Verb = {
	usage: USAGE.policy,
	async run(args, { env, out }) {
		const { positionals } = readArguments({ args, options: {} });
		const [act, typed, ...more] = positionals;
		if (act !== 'approvals' || more.length > 0)
			throw new AppError('usage.form', { form: 'policy' });
		const wanted = typed === undefined ? undefined : readSetting('change-approvals', typed);
		if (wanted === null) throw new AppError('usage.form', { form: 'policy' });
		await withAuth(env, async ({ settings }) => {
			if (wanted !== undefined) await settings.change(null, { 'change-approvals': wanted });
			out(POLICY_VERB.approvals((await settings.values())['change-approvals']));
		});
		return 0;
	}
};
