import { INSTALLATION_VERB, USAGE } from '#lib/messages/commandLine.ts';
import { resolve } from 'node:path';
import { openRecord } from '#lib/server/platform/audit-trail/record.ts';
import { AppError } from '#lib/server/platform/errors/appError.ts';
import type { Verb } from '../verb.ts';
import { withAuth } from '../withAuth.ts';

export const verb: Verb = {
	usage: USAGE.installation,
	async run(args, { env, out }) {
		if (args.length !== 1 || args[0] !== 'begin')
			throw new AppError('usage.form', { form: 'installation' });
		const dataDir = resolve(env['KOMODECK_DATA'] || 'data');
		// What the folder knows of the log is that of the database before; the log of this one gets a copy of its own.
		const away = openRecord(dataDir).putAway(new Date());
		await withAuth(
			env,
			({ audit }) => audit.append({ actor: 'command line', action: 'installation.begun' }),
			true
		);
		out(INSTALLATION_VERB.begun(dataDir));
		if (away !== null) out(INSTALLATION_VERB.oldCopy(away));
		return 0;
	}
};
