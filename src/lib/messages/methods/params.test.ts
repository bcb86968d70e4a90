import { expect, test } from 'vitest';
import { daemonMethods, type DaemonMethod } from '#lib/rpc/daemon/index.ts';
import { daemonParamMessage } from './daemonParams.ts';

test('each parameter of each daemon method is described by a sentence', () => {
	for (const method of Object.keys(daemonMethods) as DaemonMethod[]) {
		for (const { name } of daemonMethods[method].params) {
			expect(daemonParamMessage(method, name), `${method} ${name}`).toMatch(/^.+\.$/);
		}
	}
});
