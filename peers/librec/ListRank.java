import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import net.librec.conf.Configuration;
import net.librec.data.model.TextDataModel;
import net.librec.recommender.RecommenderContext;
import net.librec.recommender.cf.ranking.ListRankMFRecommender;
import net.librec.recommender.item.RecommendedItemList;
import net.librec.recommender.item.RecommendedList;

/**
 * LibRec's ListRankMF on a given split: a score for every line of the test file, in its order.
 *
 *     java -cp '/tmp/librec/*' peers/librec/ListRank.java TRAIN.tsv TEST.tsv SCORES NAME=VALUE...
 *
 * NAME=VALUE are LibRec's settings, such as rec.factor.number=5. It prints how long fitting took, in seconds.
 */
public class ListRank extends ListRankMFRecommender {
    /** LibRec would rank all items for all users here; only the held-out ones are wanted. */
    @Override
    protected RecommendedList recommend() {
        return new RecommendedItemList(0, 0);
    }

    double score(int user, int item) throws Exception {
        return predict(user, item);
    }

    int known() {
        return trainMatrix.size();
    }

    public static void main(String[] args) throws Exception {
        Path train = Path.of(args[0]), test = Path.of(args[1]);
        // LibRec wants both files in one folder, and reads every file of it as data.
        Path folder = Files.createTempDirectory("librec");
        Files.createDirectory(folder.resolve("all"));
        Files.copy(train, folder.resolve("all/train.txt"));
        Files.copy(test, folder.resolve("all/test.txt"));
        Configuration conf = new Configuration();
        conf.set("dfs.data.dir", folder.toString());
        conf.set("data.input.path", "all");
        conf.set("data.column.format", "UIR");
        conf.set("data.model.format", "text");
        conf.set("data.model.splitter", "testset");
        conf.set("data.testset.path", "all/test.txt");
        conf.set("rec.recommender.isranking", "true");
        conf.set("rec.recommender.ranking.topn", "10");
        for (int k = 3; k < args.length; k++) {
            String[] setting = args[k].split("=", 2);
            conf.set(setting[0], setting[1]);
        }
        net.librec.math.algorithm.Randoms.seed(Long.parseLong(conf.get("rec.random.seed", "1")));
        TextDataModel data = new TextDataModel(conf);
        data.buildDataModel();
        ListRank model = new ListRank();
        model.setContext(new RecommenderContext(conf, data));
        long start = System.nanoTime();
        model.recommend(new RecommenderContext(conf, data));
        System.out.println((System.nanoTime() - start) / 1e9);
        int given = Files.readAllLines(train).size();
        if (model.known() != given) {
            throw new IllegalStateException("LibRec learned from " + model.known() + " ratings, not from " + given);
        }
        try (PrintWriter out = new PrintWriter(args[2])) {
            for (String line : Files.readAllLines(test)) {
                String[] part = line.split("\t");
                out.println(model.score(data.getUserMappingData().get(part[0]), data.getItemMappingData().get(part[1])));
            }
        }
        Files.delete(folder.resolve("all/train.txt"));
        Files.delete(folder.resolve("all/test.txt"));
        Files.delete(folder.resolve("all"));
        Files.delete(folder);
    }
}
