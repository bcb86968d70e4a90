import { KDF_VERB, USAGE } from '#lib/messages/commandLine.ts';
import { recordedText } from '#lib/messages/errors/recorded.ts';
import { AppError } from '#lib/server/platform/errors/appError.ts';
import { readConfig } from '../config.ts';
import { withNodes } from '../nodes.ts';
import type { Verb } from '../verb.ts';
import { COMMAND_LINE } from '#lib/server/platform/audit-trail/entry.ts';

export const verb: Verb = {
	usage: USAGE.kdf,
	async run(args, { env, out, err }) {
		const [word, id, ...rest] = args;
		if (word !== 'confirm' || id === undefined || rest.length > 0) {
			throw new AppError('usage.form', { form: 'kdf' });
		}
		const config = readConfig(env);
		return withNodes(config, env, async (nodes, audit) => {
			const info = await nodes.confirm(id, COMMAND_LINE, (entry) => audit.append(entry));
			if (info === undefined) {
				const known = config.nodes.map((node) => node.id);
				err(KDF_VERB.unknown(id, known));
				return 1;
			}
			if (info.state === 'up') {
				out(KDF_VERB.resumed(id));
				return 0;
			}
			const { reason } = info;
			err(KDF_VERB.state(id, info.state, reason === null ? null : recordedText(reason)));
			return 1;
		});
	}
};
