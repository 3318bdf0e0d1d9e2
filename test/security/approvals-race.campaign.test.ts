// Many answers to one request at once, through several connections to one store: one of them wins,
// and all others are told so.

import { describe, expect, it } from "vitest";
import { campaignSeed, campaignSize, reportCampaign, seededRandom } from "../fakes/campaign.js";
import { createTempFolder } from "../plugins/temp-folder.js";
import { createSetting, planOf, requestOf, waitForRequest } from "./approvals-setting.js";

const ROUNDS = campaignSize({ slice: 20, campaign: 1_000 });
const RACERS = 100;
const CONNECTIONS = 4;
const TITLE = "of 100 racing answers one wins, and the others learn that it is resolved";
const NO_ANSWER = () => new Promise<never>(() => undefined);

describe("racing answers", () => {
  it(TITLE, { timeout: ROUNDS * 2_000 + 60_000 }, async () => {
    const folder = await createTempFolder();
    const own = await createSetting({ folder, approver: NO_ANSWER });
    const others = await Promise.all(
      Array.from({ length: CONNECTIONS }, () => createSetting({ folder })),
    );
    const random = seededRandom(campaignSeed());
    const winners = new Set<string>();
    for (let round = 0; round < ROUNDS; round++) {
      const asked = own.gate.authorise(requestOf({ plan: planOf(["mkdir", `d${round}`]) })).then(
        ({ rule }) => rule,
        ({ message }: Error) => message,
      );
      const { id } = await waitForRequest(own.table);
      const start = Math.floor(random() * RACERS);
      const outcomes = await Promise.all(
        Array.from({ length: RACERS }, (_, index) => {
          const racer = (index + start) % RACERS;
          const decision = racer % 2 === 0 ? "allow-once" : "deny";
          const answer = {
            name: id,
            decision,
            reason: `of ${racer}`,
            by: `racer ${racer}`,
          } as const;
          return (others[racer % CONNECTIONS] ?? own).table.answer(answer).then(
            () => `won ${racer}`,
            ({ reason }: { readonly reason?: string }) => reason,
          );
        }),
      );
      const won = outcomes.filter((outcome) => outcome?.startsWith("won "));
      expect(won).toHaveLength(1);
      expect(outcomes.filter((outcome) => outcome === "already_resolved")).toHaveLength(RACERS - 1);
      const racer = Number(won[0]?.slice("won ".length));
      // The call that asked goes by the winner's word, and nobody else's.
      expect(await asked).toContain(racer % 2 === 0 ? `by racer ${racer}` : `of ${racer}`);
      winners.add(`${racer}`);
    }
    reportCampaign({ title: TITLE, size: ROUNDS, detail: `${winners.size} different winners` });
  });

  it("100 questions that wait at once are each answered by their own answer", async () => {
    const { gate, table } = await createSetting({ approver: NO_ANSWER });
    const asked = Array.from({ length: 100 }, (_, index) =>
      gate.authorise(requestOf({ plan: planOf(["mkdir", `n${index}`]) })).then(
        ({ rule }) => rule,
        ({ message }: Error) => message,
      ),
    );
    await expect.poll(async () => (await table.list()).length).toBe(100);
    const requests = await table.list();
    await Promise.all(
      requests.map(({ question: { id, command } }) =>
        table.answer({ name: id, decision: "deny", reason: `no ${command}.`, by: "a test" }),
      ),
    );
    const answers = await Promise.all(asked);
    answers.forEach((answer, index) => {
      expect(answer).toContain(`no mkdir n${index}.`);
    });
  });
});
