import { recordedText } from '#lib/messages/errors/recorded.ts';
import { AppError } from '#lib/server/platform/errors/appError.ts';
import { readConfig } from '../config.ts';
import { withNodes } from '../nodes.ts';
import type { Verb } from '../verb.ts';

export const verb: Verb = {
	usage: [
		[
			'kdf confirm ID',
			'lets calls go out again to a trading node that refused its password, after it was corrected'
		]
	],
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
				err(`There is no trading node "${id}". There are: ${known}.`);
				return 1;
			}
			if (info.state === 'up') {
				out(`${id} takes the password; calls go out again.`);
				return 0;
			}
			err(
				`${id} is ${info.state}. ${info.reason === null ? '' : recordedText(info.reason)}`.trim()
			);
			return 1;
		});
	}
};
