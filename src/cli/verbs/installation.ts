import { INSTALLATION_VERB, USAGE } from '#lib/messages/commandLine.ts';
import { AppError } from '#lib/server/platform/errors/appError.ts';
import { placeOf } from '../config.ts';
import { newCopy } from '../newCopy.ts';
import type { Verb } from '../verb.ts';
import { withAuth } from '../withAuth.ts';
import { COMMAND_LINE } from '#lib/server/platform/audit-trail/entry.ts';

export const verb: Verb = {
	usage: USAGE.installation,
	async run(args, { env, out }) {
		if (args.length !== 1 || args[0] !== 'begin')
			throw new AppError('usage.form', { form: 'installation' });
		const { dataDir } = placeOf(env);
		const { away } = await withAuth(
			env,
			async (auth, db) => {
				await auth.audit.append({ actor: COMMAND_LINE, action: 'installation.begun' });
				// The folder's copy of the audit log belongs to the previous database; the log of this one
				// gets a new copy.
				return newCopy(db, auth, dataDir);
			},
			{ begin: true }
		);
		out(INSTALLATION_VERB.begun(dataDir));
		if (away !== null) out(INSTALLATION_VERB.oldCopy(away));
		return 0;
	}
};
