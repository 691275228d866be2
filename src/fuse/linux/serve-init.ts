import { constants } from 'node:os';
import type { MountOptions } from '../driver.ts';
import { DONE, type Handlers, Refusal } from './handler.ts';
import { agreeOn, encodeInit } from './protocol/init.ts';
import { decodeInit } from './protocol/request.ts';

/** The beginning and the end of a connection. @param onInit called when both sides have agreed */
export function serveInit({ seeOpens }: Pick<MountOptions, 'seeOpens'>, onInit: () => void): Handlers {
  return {
    init(request) {
      const agreement = agreeOn(decodeInit(request), seeOpens);
      if (agreement === undefined) throw new Refusal(constants.errno.EPROTO);
      onInit();
      return { encode: (out) => encodeInit(out, agreement) };
    },
    destroy: () => DONE,
  };
}
