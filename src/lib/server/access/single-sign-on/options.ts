import { signOnOrigin } from '../../platform/config/signOn.ts';
import type { Config } from '../../platform/config/types.ts';
import type { SignOnOptions } from './singleSignOn.ts';

/**
 * Returns the configured options of single sign-on; null where it is not configured, or where browsers could
 * not come back.
 */
export function signOnOptions(config: Config): SignOnOptions | null {
	const origin = signOnOrigin(config);
	const { signOn, privateServers } = config;
	return signOn === null || origin === null ? null : { config: signOn, origin, privateServers };
}
