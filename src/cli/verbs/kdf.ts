import { recordedText } from '#lib/messages/errors/recorded.ts';
import { AppError } from '#lib/server/platform/errors/appError.ts';
import { readConfig } from '../config.ts';
import { withNodes } from '../nodes.ts';
import type { Verb } from '../verb.ts';

export const verb: Verb = {
	usage: [['kdf confirm ID', 'resumes calls to a trading node after its password was corrected']],
	async run(args, { env, out, err }) {
		const [word, id, ...rest] = args;
		if (word !== 'confirm' || id === undefined || rest.length > 0) {
			throw new AppError('usage.form', { form: 'kdf' });
		}
		const config = readConfig(env);
		return withNodes(config, env, async (nodes) => {
			const info = await nodes.confirm(id, 'command line');
			if (info === undefined) {
				const known = config.nodes.map((node) => node.id).join(', ') || 'none';
				err(`There is no trading node "${id}". Configured: ${known}.`);
				return 1;
			}
			if (info.state === 'up') {
				out(`${id} accepts the password. Calls are resumed.`);
				return 0;
			}
			err(
				`${id} is ${info.state}. ${info.reason === null ? '' : recordedText(info.reason)}`.trim()
			);
			return 1;
		});
	}
};
